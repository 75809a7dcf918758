import { databaseFailure, type OpenDatabase } from '../../composition/database.ts'
import type { Settings } from '../../config/definitions.ts'
import { CommandFailed, orFail } from '../../failure.ts'
import { exists, FIX_READ_ONLY, unwritable, willBeMade } from './files.ts'
import { type Check, type Found, fault, ok, warning } from './finding.ts'

const FIX_FILE = 'see that ALMONER_DATABASE is the database of this service, and that this user may write it'
const FIX_SERVER =
  'see that the server runs, has connections left and lets this user in, and that ALMONER_DATABASE leads to it'
const FIX_DAMAGE =
  'go back to the last backup: docs/operations.md, "Going back to a backup"; then look at the disk'
const FIX_PATH = 'see whether ALMONER_DATABASE has a typo and names another file than that of this service'
const FIX_STRANGE = `${FIX_PATH}; if it is the right one, ${FIX_DAMAGE}`
const FIX_EMPTY = `${FIX_PATH}, if this service has data already; a new service needs nothing done`

/** Fixes by the message. A file system that the kernel has shut after a fault shows only when something is opened for writing. */
const FIXES: ReadonlyArray<readonly [message: RegExp, fix: string]> = [
  [/EROFS/, FIX_READ_ONLY],
  [/malformed/, FIX_DAMAGE],
  [/not a database/, FIX_STRANGE],
]

const ofFailure = (cause: unknown, { database }: Settings): Found => {
  if (!(cause instanceof CommandFailed)) throw cause
  const { message } = cause
  if (database.kind === 'postgres') return fault(message, FIX_SERVER)
  const [, fix = FIX_FILE] = FIXES.find(([known]) => known.test(message)) ?? []
  return fault(message, fix)
}

const schemaFinding = async ({ migrator }: OpenDatabase, { database }: Settings): Promise<Found> => {
  const { isEmpty, pending } = await orFail(migrator.plan(), databaseFailure)
  if (isEmpty) {
    const what = 'it is empty; serve and every command bring it up to date'
    return database.kind === 'sqlite' ? warning(what, FIX_EMPTY) : ok(what)
  }
  return pending.length === 0
    ? ok('it opens, and its schema is current')
    : fault(`its schema is older than this program: ${pending.length} pending`, 'run almoner migrate')
}

const MEBIBYTE = 1024 * 1024

/** A log larger than this is kept by a reader. The alert AlmonerDatabaseLogGrows has the same limit. */
const LARGE = 256 * MEBIBYTE

const damageFinding = ([first, ...more]: ReadonlyArray<string>): ReadonlyArray<Found> => {
  if (first === undefined) return []
  const rest = more.length > 0 ? `, and ${more.length} more` : ''
  return [fault(`it is damaged: ${first.replace(/\s+/g, ' ')}${rest}`, FIX_DAMAGE)]
}

/** The log is still large after the doctor has closed the database, which empties it. */
const logFinding = (bytes: number): ReadonlyArray<Found> => {
  if (bytes < LARGE) return []
  const what = `its write-ahead log has ${Math.floor(bytes / MEBIBYTE)} MiB: a process keeps reading from an old state`
  return [warning(what, 'end long reads, as of `sqlite3`, `export` or `backup`; else restart the service')]
}

/** Checks that the database opens, has the schema of this program and, in a file, is whole. Closes the service to see the log of the file. */
export const databaseCheck: Check = {
  name: 'database',
  asks: 'the database',
  look: async ({ settings, machine, service }) => {
    const { databaseFile: file } = service
    if (file !== undefined && !(await exists(file.path))) {
      const made = await willBeMade('the database', file.path)
      return [made.level === 'ok' ? warning(made.what, FIX_EMPTY) : made]
    }
    const hindrance = file === undefined ? undefined : await unwritable(file.path, machine)
    if (hindrance !== undefined) return [hindrance]
    try {
      const found = await schemaFinding(await service.database(), settings)
      await service.close()
      if (file === undefined) return [found]
      const damage = found.level === 'ok' ? damageFinding(await file.faults()) : []
      return [...(damage.length > 0 ? damage : [found]), ...logFinding(await file.logBytes())]
    } catch (cause) {
      return [ofFailure(cause, settings)]
    }
  },
}
