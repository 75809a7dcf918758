import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import { NO_LINKS } from '../../notifications/links.ts'
import { messageOf } from '../../notifications/message.ts'
import { MessageText, OptionalMessageText } from '../../notifications/message-text.ts'
import { sizeFaults } from '../../notifications/payload-size.ts'
import type { NotificationPolicy, NotificationPorts } from '../../ports/of-notifications.ts'
import type { NotificationId } from '../../values/ids.ts'
import { type FieldError, type RawParameters, readField } from '../../values/parameters.ts'

/** Any text: what the size needs of fields that are at fault themselves. */
const EMPTY = '' as MessageText

/**
 * What the size of the payload adds to a request that is refused already (I1, G6): measured by the texts that can be read, without
 * the links of an item.
 */
export const makeFurtherPayloadErrors =
  (ports: Pick<NotificationPorts, 'pushGateway' | 'ids'>, { look }: Pick<NotificationPolicy, 'look'>) =>
  (caller: Caller, raw: RawParameters): TE.TaskEither<InsufficientScope, ReadonlyArray<FieldError>> =>
    permitted(
      'draftNotification',
      caller,
    )(() => {
      const id: NotificationId = ports.ids.nextNotificationId()
      const texts = {
        title: readField(MessageText, raw, 'title') ?? EMPTY,
        subtitle: O.fromNullable(readField(OptionalMessageText, raw, 'subtitle')),
        description: O.fromNullable(readField(OptionalMessageText, raw, 'description')),
      }
      const message = messageOf(
        { id, lang: 'en', date: O.none, resourceId: O.none, ...texts },
        NO_LINKS,
        look,
      )
      return TE.right(sizeFaults(ports.pushGateway.bytesOf(message), message))
    })
