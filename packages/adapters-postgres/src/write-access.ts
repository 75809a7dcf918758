import type { Session } from './session.ts'

/** Why writes are refused, for an operator. */
export const TAKES_NO_WRITES =
  'the database takes no writes: default_transaction_read_only is on, as hosts set it for a disk that is nearly full'

/**
 * Selects whether a transaction of this session may write. Open sessions do not follow a later setting of their role or database, so the
 * catalog is asked too: a host that protects its database this way must be obeyed by all connections (I10). The order is that of
 * https://www.postgresql.org/docs/current/catalog-pg-db-role-setting.html.
 */
export const MODE = `current_setting('transaction_read_only') as session_reads, (
  select split_part(setting, '=', 2)::boolean from pg_db_role_setting s, unnest(s.setconfig) as setting
  where setting like 'default_transaction_read_only=%'
    and s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
    and s.setrole in (0, (select oid from pg_roles where rolname = session_user))
  order by s.setrole <> 0 desc, s.setdatabase <> 0 desc limit 1) as host_reads`

/** Selects whether {@link MODE} may refuse writes: it costs each write a tenth of what that does. */
export const MAY_REFUSE = `current_setting('transaction_read_only') = 'on'
  or exists (select from pg_db_role_setting where setconfig::text like '%default_transaction_read_only%') as may_refuse`

type Row = Readonly<Record<string, unknown>>

/** Returns whether a row of {@link MODE} refuses writes. */
export const isReadOnly = (row: Row = {}): boolean =>
  row['session_reads'] === 'on' || row['host_reads'] === true

/** Resolves to whether only this session refuses writes, because it began before its host allowed them again. */
export const isOutdated = async ({ ask }: Pick<Session, 'ask'>, row: Row = {}): Promise<boolean> => {
  if (row['session_reads'] !== 'on' || row['host_reads'] === true) return false
  const { rows } = await ask(`select source in ('global', 'database', 'user', 'database user') as outdated
    from pg_settings where name = 'default_transaction_read_only'`)
  return rows[0]?.['outdated'] === true
}
