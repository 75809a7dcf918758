import { type Clock, pausesAmong } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Media } from '../compose/media.ts'
import { type Database, databaseFailure } from '../compose.ts'
import { notAvailable } from '../failure.ts'

/**
 * Resolves when the database answers with the schema of this program and images can be stored, with the providers that pushes do not
 * go out by (G5); else rejects with the reason.
 */
export const readiness =
  ({ migrator, store }: Database, media: Pick<Media, 'check'>, clock: Clock) =>
  async (): Promise<ReadonlyArray<string>> => {
    const plan = await migrator.plan()()
    if (E.isLeft(plan)) throw new Error(databaseFailure(plan.left).lines.join('; '))
    if (plan.right.pending.length > 0) throw new Error('the schema is older than this program')
    await media.check()
    const states = await store.providers.states(clock.now())()
    if (E.isLeft(states)) throw new Error(notAvailable('the database')(states.left).lines.join('; '))
    return pausesAmong(states.right).map(({ provider }) => `push by ${provider} is paused`)
  }
