import type { Deliveries } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Runner } from '../runner.ts'
import { backlog } from './backlog.ts'
import { makeClaim } from './claim.ts'
import { letGo } from './held-claim.ts'
import { reachable } from './reachable.ts'
import { record } from './record.ts'
import { makeTakeUp } from './take-up.ts'

/** The sending of notifications, shared by every process on the same database (G4, G5). */
export const makeDeliveries = (runner: Runner): Deliveries => ({
  takeUp: makeTakeUp(runner),
  claim: makeClaim(runner),
  reachable: (claim, recipients) =>
    pipe(
      runner.read((db) => reachable(db, claim, recipients)),
      TE.flatMapEither(identity),
    ),
  record: (claim, turns, at) => runner.write((db) => record(db, runner.dialect, { claim, turns, ...at })),
  letGo: (claim) =>
    runner.write(async (db): Promise<E.Either<never, void>> => E.right(await letGo(db, claim))),
  backlog: () => runner.read(backlog),
})
