import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { NO_LINKS } from '../../notifications/links.ts'
import { messageOf, type PushMessage } from '../../notifications/message.ts'
import type { Notification } from '../../notifications/notification.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import type { Policy } from '../policy.ts'
import { linksOf } from './links-of.ts'

/** The message of a notification as it would be sent now (G1, G6). */
export const messageNow = (
  ports: Pick<Ports, 'libraryItems' | 'mediaAddresses'>,
  notification: Notification,
  { look }: Pick<Policy, 'look'>,
): TE.TaskEither<Unavailable, PushMessage> =>
  pipe(
    O.isNone(notification.resourceId) ? TE.right(O.none) : linksOf(ports, notification.resourceId.value),
    TE.map((links) => messageOf(notification, O.getOrElse(() => NO_LINKS)(links), look)),
  )
