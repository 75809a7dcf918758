import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { NO_LINKS } from '../../notifications/links.ts'
import { messageOf, type PushMessage } from '../../notifications/message.ts'
import type { Notification } from '../../notifications/notification.ts'
import type { NotificationPolicy, NotificationPorts } from '../../ports/of-notifications.ts'
import type { Unavailable } from '../../values/ports.ts'
import { linksOf } from './links-of.ts'

/** The message of a notification as it would be sent now (G1, G6). */
export const messageNow = (
  ports: Pick<NotificationPorts, 'libraryItems' | 'mediaAddresses'>,
  notification: Notification,
  { look }: Pick<NotificationPolicy, 'look'>,
): TE.TaskEither<Unavailable, PushMessage> =>
  pipe(
    O.isNone(notification.resourceId) ? TE.right(O.none) : linksOf(ports, notification.resourceId.value),
    TE.map((links) => messageOf(notification, O.getOrElse(() => NO_LINKS)(links), look)),
  )
