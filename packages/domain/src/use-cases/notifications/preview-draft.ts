import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type Caller,
  confirmRights,
  type InsufficientScope,
  permitted,
  type RightsEnded,
} from '../../access/caller.ts'
import { NO_LINKS } from '../../notifications/links.ts'
import { messageOf } from '../../notifications/message.ts'
import { MessageText, OptionalMessageText } from '../../notifications/message-text.ts'
import {
  type Notification,
  RESOURCE_NOT_FOUND,
  type ResourceNotFound,
} from '../../notifications/notification.ts'
import { sizeFaults } from '../../notifications/payload-size.ts'
import type { NotificationPolicy, NotificationPorts } from '../../ports/of-notifications.ts'
import { ItemId } from '../../values/ids.ts'
import { type FieldError, fieldErrorsOf, parameters } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'
import { Language } from '../../values/text.ts'
import { linksOf } from './links-of.ts'
import { type Preview, sizesOf } from './preview-notification.ts'

/** The texts of a notification that is being written, any of which may be missing. */
export const DRAFT_FIELDS = {
  required: { lang: Language },
  optional: {
    title: OptionalMessageText,
    subtitle: OptionalMessageText,
    description: OptionalMessageText,
    resource_id: ItemId,
  },
} as const

/** Parameters of POST /notifications/preview. */
export const PreviewDraft = parameters({ name: 'PreviewDraft', ...DRAFT_FIELDS })
export type PreviewDraft = typeof PreviewDraft._A

/** What would go out if a draft were sent now, and what keeps it from being created. */
export interface DraftPreview extends Preview {
  readonly errors: ReadonlyArray<FieldError>
}

/** Returns the notification of a draft. A missing title is empty. */
export const notificationOf = (
  { ids }: Pick<NotificationPorts, 'ids'>,
  { lang, title, subtitle, description, resource_id }: PreviewDraft,
): Notification => ({
  id: ids.nextNotificationId(),
  lang,
  title: title ?? ('' as MessageText),
  subtitle: O.fromNullable(subtitle),
  description: O.fromNullable(description),
  date: O.none,
  resourceId: O.fromNullable(resource_id),
})

/** Returns the message of a draft as it would be sent now. Fails with ResourceNotFound if its item does not exist (G2). */
export const draftMessage = (
  ports: Pick<NotificationPorts, 'libraryItems' | 'mediaAddresses'>,
  notification: Notification,
  { look }: Pick<NotificationPolicy, 'look'>,
) =>
  pipe(
    O.isNone(notification.resourceId)
      ? TE.right(O.some(NO_LINKS))
      : linksOf(ports, notification.resourceId.value),
    TE.flatMap(TE.fromOption((): ResourceNotFound | Unavailable => RESOURCE_NOT_FOUND)),
    TE.map((links) => messageOf(notification, links, look)),
  )

type Needs = 'devices' | 'ids' | 'libraryItems' | 'mediaAddresses' | 'pushGateway'

const Title = parameters({ name: 'Title', required: { title: MessageText }, optional: {} })

const titleErrors = ({ title }: Notification): ReadonlyArray<FieldError> => {
  const read = Title.decode({ title })
  return E.isLeft(read) ? fieldErrorsOf(read.left) : []
}

/** Shows who would get a notification that is being written, and what; stores and sends nothing (G2, G4, G6). */
export const makePreviewDraft =
  (ports: Pick<NotificationPorts, Needs>, policy: Pick<NotificationPolicy, 'look'>) =>
  (
    caller: Caller,
    draft: PreviewDraft,
  ): TE.TaskEither<InsufficientScope | ResourceNotFound | RightsEnded | Unavailable, DraftPreview> =>
    permitted(
      'draftNotification',
      caller,
    )(() => {
      const notification = notificationOf(ports, draft)
      return pipe(
        draftMessage(ports, notification, policy),
        TE.flatMap((message): TE.TaskEither<ResourceNotFound | Unavailable, DraftPreview> => {
          const sizes = sizesOf(ports, message)
          const errors = [...titleErrors(notification), ...sizeFaults(sizes.bytes, message)]
          return TE.map((recipients: DraftPreview['recipients']) => ({
            notification,
            message,
            ...sizes,
            recipients,
            errors,
          }))(ports.devices.audience(notification.lang))
        }),
        TE.tap(() => confirmRights(caller)),
      )
    })
