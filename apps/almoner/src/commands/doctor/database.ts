import type { SchemaPlan } from '@almoner/adapters-kysely'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { databaseFile } from '../../compose/database.ts'
import { type Database, databaseFailure, openDatabase } from '../../compose.ts'
import type { Failure } from '../../failure.ts'
import { type Check, type Found, fault, ok } from './finding.ts'
import { isThere, willBeMade } from './places.ts'
import { unwritable } from './writable.ts'

const ofFailure = ({ lines }: Failure): Found =>
  fault(
    lines.join('; '),
    'see that ALMONER_DATABASE is the database of this service, and that this user may write it',
  )

const ofPlan = ({ isEmpty, pending }: SchemaPlan): Found => {
  if (isEmpty) return ok('it is empty; serve and every command bring it up to date')
  return pending.length === 0
    ? ok('it opens, and its schema is current')
    : fault(`its schema is older than this program: ${pending.length} pending`, 'run almoner migrate')
}

const survey = async ({ migrator, close }: Database): Promise<Found> => {
  try {
    const plan = await migrator.plan()()
    return E.isRight(plan) ? ofPlan(plan.right) : ofFailure(databaseFailure(plan.left))
  } finally {
    await close()
  }
}

/** Whether the database opens and has the schema of this program. */
export const databaseCheck: Check = {
  name: 'database',
  look: async (settings, machine) => {
    const file = databaseFile(settings)
    if (O.isSome(file) && !(await isThere(file.value))) return [await willBeMade('the database', file.value)]
    const hindrance = O.isSome(file) ? await unwritable(file.value, machine) : undefined
    if (hindrance !== undefined) return [hindrance]
    const database = await openDatabase(settings)()
    return [E.isRight(database) ? await survey(database.right) : ofFailure(database.left)]
  },
}
