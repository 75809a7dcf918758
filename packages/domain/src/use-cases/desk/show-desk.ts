import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import { endOfRetention } from '../../delivery/batch.ts'
import type { Desk, NotificationState } from '../../desk/desk.ts'
import type { ManagerPolicy } from '../../managers/ports.ts'
import { deliveryOf } from '../../notifications/model.ts'
import type { NotificationWithProgress } from '../../notifications/ports.ts'
import type { OperationsPorts } from '../../ports/of-operations.ts'
import { parameters } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'
import { dayOf, endOfDay, startOfDay, TimeZone } from '../../values/time.ts'

/** Parameters of GET /desk: the time zone whose day is shown, that of the service by default (B8). */
export const ShowDesk = parameters({ name: 'ShowDesk', required: {}, optional: { timeZone: TimeZone } })
export type ShowDesk = typeof ShowDesk._A

/** Days for which a failed notification is shown after its date. */
const FAILED_DAYS = 7

/** Notifications of a day, and of the days before, that are looked at. */
const MOST_TODAY = 50
const MOST_RECENT = 200

const stateOf = ({ notification, progress }: NotificationWithProgress): NotificationState => ({
  notification,
  state: deliveryOf(notification, progress).state,
})

/** Shows what waits for content managers: posts, translations, and the notifications of today and of the last days (J7, G7). */
export const makeShowDesk =
  (
    ports: Pick<OperationsPorts, 'clock' | 'notifications' | 'statistics'>,
    policy: Pick<ManagerPolicy, 'timeZone'>,
  ) =>
  (
    caller: Caller,
    { timeZone = policy.timeZone }: ShowDesk,
  ): TE.TaskEither<InsufficientScope | Unavailable, Desk> =>
    permitted(
      'showDesk',
      caller,
    )(() => {
      const now = ports.clock.now()
      const day = dayOf(now, timeZone)
      const end = O.getOrElse(() => now)(endOfDay(day, timeZone))
      const first = startOfDay(day, timeZone)
      const recent = { from: endOfRetention(now, FAILED_DAYS), to: now, most: MOST_RECENT }
      return pipe(
        TE.Do,
        TE.bind('counts', () => ports.statistics.desk()),
        TE.bind('today', () => ports.notifications.dated({ from: first, to: end, most: MOST_TODAY })),
        TE.bind('recent', () => ports.notifications.dated(recent)),
        TE.map((found) => ({
          ...found.counts,
          today: found.today.map(stateOf).toReversed(),
          failed: found.recent.map(stateOf).filter(({ state }) => state === 'failed' || state === 'partial'),
        })),
      )
    })
