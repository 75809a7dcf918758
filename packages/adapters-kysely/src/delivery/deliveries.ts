import type { Deliveries } from '@almoner/domain/ports'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Database } from '../database/database.ts'
import { QUIET, quietly } from '../database/writes.ts'
import { checkEligibility } from './check-eligibility.ts'
import { makeClaim } from './claim.ts'
import { letGo } from './delivery-rows.ts'
import { backlog, queue, upcoming } from './queue.ts'
import { record, setAside } from './record.ts'
import { makeRelease } from './releases.ts'
import { makeStart } from './start.ts'

/** The sending of notifications, shared by every process on the same database (G4, G5). */
export const makeDeliveries = (database: Database): Deliveries => ({
  start: makeStart(database),
  claim: makeClaim(database),
  checkEligibility: (claim, recipients, now) =>
    pipe(
      database.read((db) => checkEligibility(db, claim, { recipients, now })),
      TE.flatMapEither(identity),
    ),
  record: (claim, results, at) => database.write((db) => record(db, { claim, results, ...at }), QUIET),
  setAside: (claim, now) => database.write((db) => setAside(db, claim, now), QUIET),
  releaseDeferred: makeRelease(database),
  releaseClaim: (claim) => quietly(database, (db) => letGo(db, claim)),
  backlog: () => database.read(backlog),
  upcoming: () => database.read(upcoming),
  queue: (now) => database.read((db) => queue(db, now)),
})
