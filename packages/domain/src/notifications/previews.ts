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
} from '../access/caller.ts'
import type { DeviceKind } from '../people/destinations.ts'
import type { Audience } from '../people/model.ts'
import { ItemId, LabelId, type NotificationId } from '../values/ids.ts'
import {
  type FieldError,
  fieldErrorsOf,
  parameters,
  type RawParameters,
  readField,
} from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { Language } from '../values/text.ts'
import { linksOf } from './links.ts'
import {
  MessageText,
  messageOf,
  NO_LINKS,
  NOTIFICATION_NOT_FOUND,
  type Notification,
  type NotificationNotFound,
  OptionalMessageText,
  type PushMessage,
  RESOURCE_NOT_FOUND,
  type ResourceNotFound,
} from './model.ts'
import type { NotificationPolicy, NotificationPorts } from './ports.ts'
import { type SmallerLimit, sizeFaults } from './push.ts'

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
        { id, lang: 'en', date: O.none, resourceId: O.none, labelId: O.none, ...texts },
        NO_LINKS,
        look,
      )
      return TE.right(sizeFaults(ports.pushGateway.bytesOf(message), message))
    })

/** The topic of a notification, and how many of the people that it would go to follow it; others follow everything (G12). */
export interface Topic {
  readonly labelId: LabelId
  readonly people: number
}

/** Returns the topic of a notification with its number of people as of now. */
export const topicOf = (
  { devices }: Pick<NotificationPorts, 'devices'>,
  audience: Audience,
): TE.TaskEither<Unavailable, O.Option<Topic>> =>
  O.isNone(audience.labelId)
    ? TE.right(O.none)
    : TE.map((people: number) => O.map((labelId: LabelId) => ({ labelId, people }))(audience.labelId))(
        devices.followers(audience),
      )

/** What would go out if a notification were taken up now. */
export interface Preview {
  readonly notification: Notification
  readonly message: PushMessage
  /** The size of the message where it is largest. */
  readonly bytes: number
  /** Its sizes for services that take less than others: their devices may miss it. */
  readonly smallerLimits: ReadonlyArray<SmallerLimit>
  readonly recipients: Readonly<Record<DeviceKind, number>>
  /** Its topic and how many people follow it; none without one (G12). */
  readonly topic: O.Option<Topic>
}

/** Returns the sizes of a message. */
export const sizesOf = (
  { pushGateway }: Pick<NotificationPorts, 'pushGateway'>,
  message: PushMessage,
): Pick<Preview, 'bytes' | 'smallerLimits'> => ({
  bytes: pushGateway.bytesOf(message),
  smallerLimits: pushGateway.smallerLimits?.(message) ?? [],
})

/** Returns the message, its size in bytes and the number of recipients as of now; sends nothing (G1). For operators: checks no caller. */
export const makePreviewNotification = (
  ports: Pick<
    NotificationPorts,
    'notifications' | 'devices' | 'libraryItems' | 'mediaAddresses' | 'pushGateway'
  >,
  policy: Pick<NotificationPolicy, 'look'>,
) => {
  const previewOf = (notification: Notification): TE.TaskEither<Unavailable, Preview> =>
    pipe(
      TE.Do,
      TE.bind('message', () => messageNow(ports, notification, policy)),
      TE.bind('recipients', () => ports.devices.audience(notification)),
      TE.bind('topic', () => topicOf(ports, notification)),
      TE.map(({ message, recipients, topic }) => {
        return { notification, message, ...sizesOf(ports, message), recipients, topic }
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

/** The texts of a notification that is being written, any of which may be missing. */
export const DRAFT_FIELDS = {
  required: { lang: Language },
  optional: {
    title: OptionalMessageText,
    subtitle: OptionalMessageText,
    description: OptionalMessageText,
    resource_id: ItemId,
    labelId: LabelId,
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
  { lang, title, subtitle, description, resource_id, labelId }: PreviewDraft,
): Notification => ({
  id: ids.nextNotificationId(),
  revision: 1,
  lang,
  title: title ?? ('' as MessageText),
  subtitle: O.fromNullable(subtitle),
  description: O.fromNullable(description),
  date: O.none,
  resourceId: O.fromNullable(resource_id),
  labelId: O.fromNullable(labelId),
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

const Title = parameters({ name: 'Title', required: { title: MessageText }, optional: {} })

const titleErrors = ({ title }: Notification): ReadonlyArray<FieldError> => {
  const read = Title.decode({ title })
  return E.isLeft(read) ? fieldErrorsOf(read.left) : []
}

/** Shows who would get a notification that is being written, and what; stores and sends nothing (G2, G4, G6). */
export const makePreviewDraft =
  (
    ports: Pick<NotificationPorts, 'devices' | 'ids' | 'libraryItems' | 'mediaAddresses' | 'pushGateway'>,
    policy: Pick<NotificationPolicy, 'look'>,
  ) =>
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
          return pipe(
            TE.Do,
            TE.bind('recipients', () => ports.devices.audience(notification)),
            TE.bind('topic', () => topicOf(ports, notification)),
            TE.map((counted) => ({ notification, message, ...sizes, ...counted, errors })),
          )
        }),
        TE.tap(() => confirmRights(caller)),
      )
    })
