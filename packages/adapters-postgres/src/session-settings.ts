import { LOCK, SILENCE, STATEMENT } from './limits.ts'

/**
 * The settings of every connection on which the meaning of a statement, its answer or its time limit depends. What role, database and server
 * have set for them does not count (I10); host protection, encryption and the planner are theirs.
 */
const SETTINGS: Readonly<Record<string, string | number>> = {
  statement_timeout: STATEMENT,
  lock_timeout: LOCK,
  idle_in_transaction_session_timeout: SILENCE,
  // Streams last as long as their readers, migrations as long as they need. PostgreSQL 17 has it first.
  transaction_timeout: 0,
  // The connection that listens is idle for as long as nothing changes.
  idle_session_timeout: 0,
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  array_nulls: 'on',
  // A search would return some of the items that it finds.
  gin_fuzzy_search_limit: 0,
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  extra_float_digits: 1,
  bytea_output: 'hex',
}

const literal = (value: string | number): string => `'${value}'`

const WANTED = Object.entries(SETTINGS).map(([name, value]) => `(${literal(name)}, ${literal(value)})`)

/** A commit that is answered is durable; how many standbys it waits for stays the operator's choice. */
const DURABLE = `('synchronous_commit', case current_setting('synchronous_commit') when 'off' then 'on' else current_setting('synchronous_commit') end)`

/** Selects the number of settings made, which are all that the server knows. */
export const SETTING_UP = `(select count(set_config(name, value, false))
  from (values ${[...WANTED, DURABLE].join(', ')}) as wanted (name, value)
  where current_setting(name, true) is not null) as settings`
