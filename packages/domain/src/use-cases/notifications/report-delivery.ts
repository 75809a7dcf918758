import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import { includeOf } from '../../content/include.ts'
import {
  type Delivery,
  deliveryOf,
  NOTIFICATION_NOT_FOUND,
  type NotificationNotFound,
  type Shortened,
} from '../../notifications/model.ts'
import type { DeliveryPorts } from '../../ports/of-delivery.ts'
import { NotificationId } from '../../values/ids.ts'
import { parameters } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'

/** Parameters of GET /notification/<notificationId>/delivery. */
export const ReportDelivery = parameters({
  name: 'ReportDelivery',
  required: { id: NotificationId },
  optional: { include: includeOf(['shortened'], 'the report') },
})
export type ReportDelivery = typeof ReportDelivery._A

/** A delivery report; it says what was left out of the message only if `include` asks for it (G6, G7). */
export type DeliveryReport = Omit<Delivery, 'shortened'> & { readonly shortened?: Shortened }

/**
 * Reports how far a notification has come, and with `include` what was left out of its message (G6, G7).
 * An unknown or deleted notification is not found.
 */
export const makeReportDelivery =
  (ports: Pick<DeliveryPorts, 'notifications'>) =>
  (
    caller: Caller,
    { id, include = [] }: ReportDelivery,
  ): TE.TaskEither<InsufficientScope | NotificationNotFound | Unavailable, DeliveryReport> =>
    permitted(
      'reportDelivery',
      caller,
    )(() =>
      pipe(
        ports.notifications.find(id),
        TE.flatMap(TE.fromOption((): NotificationNotFound | Unavailable => NOTIFICATION_NOT_FOUND)),
        TE.map(({ notification, progress }) => {
          const { shortened, ...report } = deliveryOf(notification, progress)
          return include.includes('shortened') ? { ...report, shortened } : report
        }),
      ),
    )
