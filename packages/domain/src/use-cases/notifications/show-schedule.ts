import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import { type Delivery, deliveryOf, type Notification } from '../../notifications/model.ts'
import type { DeliveryPolicy, DeliveryPorts } from '../../ports/of-delivery.ts'
import { parameters } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'
import { endOfDay, type Instant, instant, LocalDate, startOfDay } from '../../values/time.ts'

/** Parameters of GET /notifications: calendar days in the service's time zone, both included. */
export const ShowSchedule = parameters({
  name: 'ShowSchedule',
  required: { from: LocalDate, to: LocalDate },
  optional: {},
})
export type ShowSchedule = typeof ShowSchedule._A

/** Notifications with a date, and how far each has come. */
export interface Schedule {
  /** The latest first. */
  readonly entries: ReadonlyArray<{ readonly notification: Notification; readonly delivery: Delivery }>
  /** Whether these are all; otherwise the earliest are missing. */
  readonly isComplete: boolean
}

/** The most notifications of a schedule. */
export const MOST_SCHEDULED = 500

/** The last moment that an Instant can have. */
const LAST: Instant = instant(8.64e15)

/** Shows the notifications of some days with their delivery (G5, G7). Those without a date have no day. */
export const makeShowSchedule =
  (ports: Pick<DeliveryPorts, 'notifications'>, { timeZone }: Pick<DeliveryPolicy, 'timeZone'>) =>
  (caller: Caller, { from, to }: ShowSchedule): TE.TaskEither<InsufficientScope | Unavailable, Schedule> =>
    permitted(
      'listNotifications',
      caller,
    )(() =>
      pipe(
        ports.notifications.dated({
          from: startOfDay(from, timeZone),
          to: O.getOrElse(() => LAST)(endOfDay(to, timeZone)),
          most: MOST_SCHEDULED + 1,
        }),
        TE.map((found) => ({
          entries: found.slice(0, MOST_SCHEDULED).map(({ notification, progress }) => ({
            notification,
            delivery: deliveryOf(notification, progress),
          })),
          isComplete: found.length <= MOST_SCHEDULED,
        })),
      ),
    )
