import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { PushMessage } from '../../notifications/message.ts'
import {
  NOTIFICATION_NOT_FOUND,
  type Notification,
  type NotificationNotFound,
} from '../../notifications/notification.ts'
import type { SmallerLimit } from '../../notifications/payload-size.ts'
import type { DeviceKind } from '../../people/destinations.ts'
import type { NotificationPolicy, NotificationPorts } from '../../ports/of-notifications.ts'
import type { NotificationId } from '../../values/ids.ts'
import type { Unavailable } from '../../values/ports.ts'
import { messageNow } from './message-now.ts'

/** What would go out if a notification were taken up now. */
export interface Preview {
  readonly notification: Notification
  readonly message: PushMessage
  /** The size of the message where it is largest. */
  readonly bytes: number
  /** Its sizes for services that take less than others: their devices may miss it. */
  readonly smallerLimits: ReadonlyArray<SmallerLimit>
  readonly recipients: Readonly<Record<DeviceKind, number>>
}

/** Returns the sizes of a message. */
export const sizesOf = (
  { pushGateway }: Pick<NotificationPorts, 'pushGateway'>,
  message: PushMessage,
): Pick<Preview, 'bytes' | 'smallerLimits'> => ({
  bytes: pushGateway.bytesOf(message),
  smallerLimits: pushGateway.smallerLimits?.(message) ?? [],
})

type Needs = 'notifications' | 'devices' | 'libraryItems' | 'mediaAddresses' | 'pushGateway'

/** Shows who would get a notification now, and what; sends nothing. For operators: no caller is asked for. */
export const makePreviewNotification = (
  ports: Pick<NotificationPorts, Needs>,
  policy: Pick<NotificationPolicy, 'look'>,
) => {
  const previewOf = (notification: Notification): TE.TaskEither<Unavailable, Preview> =>
    pipe(
      TE.Do,
      TE.bind('message', () => messageNow(ports, notification, policy)),
      TE.bind('recipients', () => ports.devices.audience(notification.lang)),
      TE.map(({ message, recipients }) => {
        return { notification, message, ...sizesOf(ports, message), recipients }
      }),
    )
  return (id: NotificationId): TE.TaskEither<NotificationNotFound | Unavailable, Preview> =>
    pipe(
      ports.notifications.find(id),
      TE.flatMap(TE.fromOption((): NotificationNotFound | Unavailable => NOTIFICATION_NOT_FOUND)),
      TE.flatMap(
        ({ notification }): TE.TaskEither<NotificationNotFound | Unavailable, Preview> =>
          previewOf(notification),
      ),
    )
}
