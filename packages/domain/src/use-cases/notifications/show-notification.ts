import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import {
  type Delivery,
  deliveryOf,
  NOTIFICATION_NOT_FOUND,
  type Notification,
  type NotificationNotFound,
} from '../../notifications/model.ts'
import type { OneNotification } from '../../notifications/use-cases.ts'
import type { DeliveryPorts } from '../../ports/of-delivery.ts'
import type { Unavailable } from '../../values/ports.ts'

/** A notification as it was written, and how far it has come. */
export interface ShownNotification {
  readonly notification: Notification
  readonly delivery: Delivery
}

/** Shows a notification as it was written, with its publication, so that it can be written again (G2, G7). */
export const makeShowNotification =
  (ports: Pick<DeliveryPorts, 'notifications'>) =>
  (
    caller: Caller,
    { id }: OneNotification,
  ): TE.TaskEither<InsufficientScope | NotificationNotFound | Unavailable, ShownNotification> =>
    permitted(
      'listNotifications',
      caller,
    )(() =>
      pipe(
        ports.notifications.find(id),
        TE.flatMap(TE.fromOption((): NotificationNotFound | Unavailable => NOTIFICATION_NOT_FOUND)),
        TE.map(({ notification, progress }) => ({
          notification,
          delivery: deliveryOf(notification, progress),
        })),
      ),
    )
