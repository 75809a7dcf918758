import type { Deliveries } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Runner } from '../../database/runner.ts'
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
export const makeDeliveries = (runner: Runner): Deliveries => ({
  start: makeTakeUp(runner),
  claim: makeClaim(runner),
  checkEligibility: (claim, recipients, now) =>
    pipe(
      runner.read((db) => checkEligibility(db, claim, { recipients, now })),
      TE.flatMapEither(identity),
    ),
  record: (claim, results, at) =>
    runner.write((db) => record(db, runner.dialect, { claim, results, ...at }), 'quiet'),
  setAside: (claim, now) => runner.write((db) => setAside(db, runner.dialect, claim, now), 'quiet'),
  release: (request) =>
    runner.write(
      async (db): Promise<E.Either<never, number>> => E.right(await release(db, runner.dialect, request)),
      'quiet',
    ),
  letGo: (claim) =>
    runner.write(async (db): Promise<E.Either<never, void>> => E.right(await letGo(db, claim)), 'quiet'),
  backlog: () => runner.read(backlog),
  upcoming: () => runner.read(upcoming),
  queue: (now) => runner.read((db) => queue(db, now)),
})
