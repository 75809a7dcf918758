import type { Deliveries } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Database } from '../../database/database.ts'
import { backlog } from './backlog.ts'
import { checkEligibility } from './check-eligibility.ts'
import { makeClaim } from './claim.ts'
import { letGo } from './held-claim.ts'
import { queue } from './queue.ts'
import { record } from './record.ts'
import { release } from './release.ts'
import { setAside } from './set-aside.ts'
import { makeTakeUp } from './start.ts'
import { upcoming } from './upcoming.ts'

/** The sending of notifications, shared by every process on the same database (G4, G5). */
export const makeDeliveries = (database: Database): Deliveries => ({
  start: makeTakeUp(database),
  claim: makeClaim(database),
  checkEligibility: (claim, recipients, now) =>
    pipe(
      database.read((db) => checkEligibility(db, claim, { recipients, now })),
      TE.flatMapEither(identity),
    ),
  record: (claim, results, at) =>
    database.write((db) => record(db, { claim, results, ...at }), { notify: 'none' }),
  setAside: (claim, now) => database.write((db) => setAside(db, claim, now), { notify: 'none' }),
  release: (request) =>
    database.write(async (db): Promise<E.Either<never, number>> => E.right(await release(db, request)), {
      notify: 'none',
    }),
  letGo: (claim) =>
    database.write(async (db): Promise<E.Either<never, void>> => E.right(await letGo(db, claim)), {
      notify: 'none',
    }),
  backlog: () => database.read(backlog),
  upcoming: () => database.read(upcoming),
  queue: (now) => database.read((db) => queue(db, now)),
})
