import type { SchemaPlan } from '@almoner/adapters-kysely'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Failure } from '../../cli/failure.ts'
import { databaseFile } from '../../composition/database.ts'
import { type Database, databaseFailure, openDatabase } from '../../composition/store.ts'
import type { Settings } from '../../config/definitions.ts'
import { type Check, type Found, fault, ok, warning } from './finding.ts'
import { isThere, willBeMade } from './places.ts'
import { MEND_READ_ONLY, unwritable } from './writable.ts'
import { largeLog } from './write-ahead-log.ts'

const MEND_FILE = 'see that ALMONER_DATABASE is the database of this service, and that this user may write it'
const MEND_SERVER =
  'see that the server runs, has connections left and lets this user in, and that ALMONER_DATABASE leads to it'
const MEND_DAMAGE =
  'go back to the last backup: docs/operations.md, "Going back to a backup"; then look at the disk'

const MEND_PATH = 'see whether ALMONER_DATABASE has a typo and names another file than that of this service'
const MEND_STRANGE = `${MEND_PATH}; if it is the right one, ${MEND_DAMAGE}`
const MEND_EMPTY = `${MEND_PATH}, if this service has data already; a new service needs nothing done`

/**
 * What to do about what is said of a file. A file system that the kernel has shut after a fault says so only where something is opened
 * for writing.
 */
const MENDS: ReadonlyArray<readonly [said: RegExp, fix: string]> = [
  [/EROFS/, MEND_READ_ONLY],
  [/malformed/, MEND_DAMAGE],
  [/not a database/, MEND_STRANGE],
]

const ofFailure = ({ lines }: Failure, { database }: Settings): Found => {
  const what = lines.join('; ')
  if (database.kind === 'postgres') return fault(what, MEND_SERVER)
  const [, mend = MEND_FILE] = MENDS.find(([said]) => said.test(what)) ?? []
  return fault(what, mend)
}

const ofPlan = ({ isEmpty, pending }: SchemaPlan, { database }: Settings): Found => {
  if (isEmpty) {
    const what = 'it is empty; serve and every command bring it up to date'
    return database.kind === 'sqlite' ? warning(what, MEND_EMPTY) : ok(what)
  }
  return pending.length === 0
    ? ok('it opens, and its schema is current')
    : fault(`its schema is older than this program: ${pending.length} pending`, 'run almoner migrate')
}

const survey = async ({ migrator, close }: Database, settings: Settings): Promise<Found> => {
  try {
    const plan = await migrator.plan()()
    return E.isRight(plan) ? ofPlan(plan.right, settings) : ofFailure(databaseFailure(plan.left), settings)
  } finally {
    await close()
  }
}

/** What is wrong inside of a file that opens. A server looks after its own. */
const damage = async (file: string, settings: Settings): Promise<Found | undefined> => {
  const { sqliteFaults } = await import('@almoner/adapters-sqlite')
  const found = await sqliteFaults(file)()
  if (E.isLeft(found)) return ofFailure(databaseFailure(found.left), settings)
  const [first, ...more] = found.right
  if (first === undefined) return undefined
  const rest = more.length > 0 ? `, and ${more.length} more` : ''
  return fault(`it is damaged: ${first.replace(/\s+/g, ' ')}${rest}`, MEND_DAMAGE)
}

/** Whether the database opens, has the schema of this program and, in a file, is whole. */
export const databaseCheck: Check = {
  name: 'database',
  look: async (settings, machine) => {
    const file = databaseFile(settings)
    if (O.isSome(file) && !(await isThere(file.value))) {
      const made = await willBeMade('the database', file.value)
      return [made.level === 'ok' ? warning(made.what, MEND_EMPTY) : made]
    }
    const hindrance = O.isSome(file) ? await unwritable(file.value, machine) : undefined
    if (hindrance !== undefined) return [hindrance]
    const database = await openDatabase(settings)()
    if (E.isLeft(database)) return [ofFailure(database.left, settings)]
    const found = await survey(database.right, settings)
    const damaged = O.isSome(file) && found.level === 'ok' ? await damage(file.value, settings) : undefined
    const log = O.isSome(file) ? await largeLog(file.value) : []
    return [damaged ?? found, ...log]
  },
}
