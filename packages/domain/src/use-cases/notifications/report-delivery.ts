import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import { type Delivery, deliveryOf } from '../../notifications/delivery.ts'
import { NOTIFICATION_NOT_FOUND, type NotificationNotFound } from '../../notifications/notification.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import type { OneNotification } from './remove-notification.ts'

/** How far a notification has come (G7). */
export const makeReportDelivery =
  (ports: Pick<Ports, 'notifications'>) =>
  (
    caller: Caller,
    { id }: OneNotification,
  ): TE.TaskEither<InsufficientScope | NotificationNotFound | Unavailable, Delivery> =>
    permitted(
      'reportDelivery',
      caller,
    )(() =>
      pipe(
        ports.notifications.find(id),
        TE.flatMap(TE.fromOption((): NotificationNotFound | Unavailable => NOTIFICATION_NOT_FOUND)),
        TE.map(({ notification, progress }) => deliveryOf(notification, progress)),
      ),
    )
