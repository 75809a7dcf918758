import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'

/** Lets everything come that was held for providers which are not paused any more. */
export const releaseAll =
  (
    { deliveries, clock }: Pick<Ports, 'deliveries' | 'clock'>,
    isOver: () => boolean,
  ): TE.TaskEither<Unavailable, void> =>
  async () => {
    while (!isOver()) {
      const released = await deliveries.release(clock.now())()
      if (E.isLeft(released)) return released
      if (released.right === 0) break
    }
    return E.right(undefined)
  }
