import type { Ground } from '../database.ts'

/** What sending takes in a PostgreSQL server, in bytes for each push. */
export interface Sizes {
  readonly ledger: number
  /** Of the server's log (WAL). */
  readonly log: number
}

const DATABASE = 'almoner'

/** Where the server's log has come to. */
export const logPlace = async ({ cluster }: Ground): Promise<string> => {
  const rows = await cluster?.ask('select pg_current_wal_lsn()::text as place')
  return String(rows?.[0]?.['place'] ?? '')
}

/** What the ledger takes for each of its rows, and the log for each push since a place in it; nothing where there is no server. */
export const sizesSince = async (
  { cluster }: Ground,
  place: string,
  pushes: number,
): Promise<Sizes | undefined> => {
  if (cluster === undefined || pushes === 0) return undefined
  const [row] = await cluster.ask(
    `select pg_total_relation_size('ledger')::float8 / (select count(*) from ledger) as ledger,
      pg_wal_lsn_diff(pg_current_wal_lsn(), '${place}')::float8 as log`,
    DATABASE,
  )
  return { ledger: Number(row?.['ledger']), log: Number(row?.['log']) / pushes }
}
