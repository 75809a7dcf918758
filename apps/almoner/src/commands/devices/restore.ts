import type { DeadDevices, DeadOnes, Unavailable } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { onDatabase, type Work } from '../../cli/command.ts'
import { notAvailable } from '../../cli/failure.ts'
import { type DeadOptions, whichDead } from './which.ts'

/** Each call restores some, so that nobody waits long for the database: again until there are none. */
const restoreAll =
  (deadDevices: DeadDevices, which: DeadOnes): TE.TaskEither<Unavailable, number> =>
  async () => {
    let total = 0
    for (;;) {
      const restored = await deadDevices.restore(which)()
      if (E.isLeft(restored)) return restored
      if (restored.right === 0) return E.right(total)
      total += restored.right
    }
  }

/** `devices restore [--provider P] [--last TIME]`: attaches dead devices again to those whose they were (G5). */
export const restoreDevices =
  (options: DeadOptions): Work =>
  (settings) =>
    pipe(
      TE.fromEither(whichDead(options)),
      TE.flatMap((which) =>
        onDatabase(({ deadDevices, clock }) =>
          pipe(
            restoreAll(deadDevices, which(clock)),
            TE.bimap(notAvailable('the database'), (restored) => ({
              text: `restored: ${restored}`,
              json: { restored },
            })),
          ),
        )(settings),
      ),
    )
