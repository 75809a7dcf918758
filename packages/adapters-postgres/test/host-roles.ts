import type { PoolSize } from '../src/limits.ts'

/** How a host or an operator has set up the role that the service connects as (I10). */
export interface HostRole {
  readonly name: string
  /** Settings of the role. PostgreSQL 14 does not know all of them. */
  readonly settings?: Readonly<Record<string, string>>
  /** How many connections the role may have. */
  readonly connections?: number
  readonly size?: PoolSize
  /** What else is in the database. */
  readonly statements?: ReadonlyArray<string>
}

/** Eight kinds of hosts. */
export const HOST_ROLES: ReadonlyArray<HostRole> = [
  {
    name: 'literals_of_old',
    settings: {
      standard_conforming_strings: 'off',
      backslash_quote: 'on',
      escape_string_warning: 'off',
      array_nulls: 'off',
      transform_null_equals: 'on',
      bytea_output: 'escape',
      quote_all_identifiers: 'on',
    },
  },
  {
    name: 'numbers_and_dates',
    settings: {
      extra_float_digits: '-15',
      DateStyle: 'SQL, DMY',
      IntervalStyle: 'sql_standard',
      TimeZone: 'Asia/Kathmandu',
      client_encoding: 'LATIN1',
    },
  },
  {
    name: 'short_limits',
    settings: {
      statement_timeout: '2s',
      lock_timeout: '20ms',
      idle_in_transaction_session_timeout: '50ms',
      idle_session_timeout: '200ms',
      transaction_timeout: '100ms',
    },
  },
  {
    name: 'strict_transactions',
    settings: {
      default_transaction_isolation: 'serializable',
      default_transaction_deferrable: 'on',
      synchronous_commit: 'off',
    },
  },
  {
    name: 'other_schemas',
    settings: { search_path: 'elsewhere, public', row_security: 'off' },
    statements: [
      'create schema elsewhere',
      'create table elsewhere.person (email integer)',
      'create view elsewhere.library_item as select 1 as id',
    ],
  },
  {
    name: 'other_plans',
    settings: {
      enable_seqscan: 'off',
      enable_indexscan: 'off',
      enable_hashjoin: 'off',
      plan_cache_mode: 'force_generic_plan',
      gin_fuzzy_search_limit: '1',
      join_collapse_limit: '1',
      work_mem: '64kB',
    },
  },
  {
    name: 'captured_changes',
    size: { requests: 1, streams: 1 },
    statements: ['create publication everything for all tables'],
  },
  { name: 'few_connections', connections: 4 },
]

/** All of them at once. */
export const ALL_ROLES: HostRole = {
  name: 'everything_at_once',
  settings: Object.assign({}, ...HOST_ROLES.map(({ settings }) => settings)),
  connections: 4,
  size: { requests: 2, streams: 1 },
  statements: HOST_ROLES.flatMap(({ statements = [] }) => statements),
}
