import { type Found, warning } from './finding.ts'

const MEBIBYTE = 1024 * 1024

/** A log larger than this is kept by a reader. The alert AlmonerDatabaseLogGrows has the same limit. */
const LARGE = 256 * MEBIBYTE

/** Returns a finding about a database file's write-ahead log that is still large after the doctor has closed the database, which empties it. */
export const largeLog = async (file: string): Promise<ReadonlyArray<Found>> => {
  const { sqliteLogBytes } = await import('@almoner/adapters-sqlite')
  const bytes = sqliteLogBytes(file)
  if (bytes < LARGE) return []
  const what = `its write-ahead log has ${Math.floor(bytes / MEBIBYTE)} MiB: a process keeps reading from an old state`
  return [warning(what, 'end long reads, as of `sqlite3`, `export` or `backup`; else restart the service')]
}
