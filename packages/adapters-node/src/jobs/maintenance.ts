import type { Almoner, Unavailable } from '@almoner/domain'
import { makePurgeHold } from '@almoner/domain/operations'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Job } from './schedule.ts'

/** Repeats a purge until nothing is left. Each one deletes a few thousand rows, so that others need not wait long for the database. */
const purgeAll =
  (purge: TaskEither<Unavailable, number>): Job['work'] =>
  (signal) =>
  async () => {
    let total = 0
    while (!signal.aborted) {
      const purged = await purge()
      if (E.isLeft(purged)) return purged
      if (purged.right === 0) break
      total += purged.right
    }
    return E.right(total)
  }

/**
 * Returns the jobs that run every hour. They delete expired tokens (A6), the rows of ended notifications (G3, G8), dead devices that can no
 * longer be restored (G5), audit records (K3), working copies after 90 days (M7), idempotency keys after a day (I4) and unreferenced images
 * (D5, H1). None of them deletes anything within an hour after the clock has jumped; for clocks without `elapsed` Node's monotonic one says so (I9).
 */
export const maintenanceJobs = ({
  maintenance,
  ports,
}: Pick<Almoner, 'maintenance' | 'ports'>): ReadonlyArray<Job> => {
  const { clock, history, idempotencyKeys, notifications } = ports
  const isHeld = makePurgeHold({ clock: { elapsed: () => performance.now(), ...clock }, history })
  const unlessHeld = <L, A>(work: () => TaskEither<L, A>): TaskEither<L | Unavailable, A | 0> =>
    pipe(
      isHeld,
      TE.flatMap((held): TaskEither<L | Unavailable, A | 0> => (held ? TE.right(0) : work())),
    )
  const hourly = (name: string, minute: number, purge: () => TaskEither<Unavailable, number>): Job => ({
    name,
    rule: `${minute} * * * *`,
    atStart: false,
    work: purgeAll(unlessHeld(purge)),
  })
  return [
    hourly('purge tokens', 7, maintenance.purgeTokens),
    hourly('purge sessions', 9, maintenance.purgeSessions),
    hourly('purge working copies', 10, maintenance.purgeCopies),
    hourly('purge deliveries', 12, maintenance.purgeDeliveries),
    hourly('purge ended notifications', 14, maintenance.purgeEndedNotifications),
    hourly('purge notifications', 17, notifications.purge),
    hourly('purge dead devices', 27, maintenance.purgeDeadDevices),
    hourly('purge history', 47, maintenance.purgeHistory),
    hourly('purge idempotency keys', 57, () => idempotencyKeys.purge(clock.now())),
    {
      name: 'sweep images',
      rule: '37 * * * *',
      atStart: true,
      work: (signal) =>
        pipe(
          unlessHeld(() => maintenance.sweepImages({ signal })),
          TE.map((swept) => swept && { uploads: swept.uploads, portfolio: swept.portfolio }),
        ),
    },
  ]
}
