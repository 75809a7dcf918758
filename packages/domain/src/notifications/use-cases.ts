import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Receipt, receiptFrom, type TimedAct } from '../access/acts.ts'
import {
  type Caller,
  type InsufficientScope,
  type PresenceRequired,
  permitted,
  requirePresence,
} from '../access/caller.ts'
import type { DeviceKind } from '../people/destinations.ts'
import { ItemId, NotificationId } from '../values/ids.ts'
import {
  dropOffsetWithoutLimit,
  Lim,
  listingOf,
  mapListing,
  Offset,
  pageRequest,
  type ResultSet,
} from '../values/page.ts'
import { parameters, type ValidationFailed, validationFailed } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { Language } from '../values/text.ts'
import { linksOf, type NotificationView, withLinks } from './links.ts'
import {
  DueDate,
  MessageText,
  matchesNotification,
  messageOf,
  NO_LINKS,
  type Notification,
  NotificationCursor,
  type NotificationLinks,
  type NotificationNotFound,
  type NotificationQuery,
  type NotificationStarted,
  OptionalMessageText,
  RESOURCE_NOT_FOUND,
  type ResourceNotFound,
  ResourceType,
} from './model.ts'
import type { NotificationPolicy, NotificationPorts } from './ports.ts'
import { sizeFaults } from './push.ts'

/** Parameters of GET /notification. */
export const ListNotifications = parameters({
  name: 'ListNotifications',
  required: {},
  optional: { id: NotificationId, lim: Lim, offset: Offset, lang: Language, after: NotificationCursor },
  prepare: dropOffsetWithoutLimit,
})
export type ListNotifications = typeof ListNotifications._A

type ListNotificationsNeeds = 'notifications' | 'libraryItems' | 'mediaAddresses'
type Found = ResultSet<Notification, NotificationCursor>

const one = (
  ports: Pick<NotificationPorts, ListNotificationsNeeds>,
  id: NotificationId,
  query: NotificationQuery,
  offset: number,
): TE.TaskEither<Unavailable, Found> =>
  pipe(
    ports.notifications.find(id),
    TE.map((found) => {
      const matching = O.isSome(found) && offset === 0 ? [found.value.notification] : []
      return listingOf(matching.filter(matchesNotification(query)), O.none)
    }),
  )

/** Lists notifications by date, latest first and undated ones last; one asked for by its id is a collection of at most one (G1, G3). */
export const makeListNotifications =
  (ports: Pick<NotificationPorts, ListNotificationsNeeds>) =>
  (
    caller: Caller,
    asked: ListNotifications,
  ): TE.TaskEither<InsufficientScope | Unavailable, ResultSet<NotificationView, NotificationCursor>> =>
    permitted(
      'listNotifications',
      caller,
    )(() => {
      const query: NotificationQuery = { lang: O.fromNullable(asked.lang) }
      const window = pageRequest(asked)
      return pipe(
        asked.id === undefined
          ? ports.notifications.list(query, window)
          : one(ports, asked.id, query, window.offset),
        TE.map((found) => mapListing(found, withLinks(ports))),
      )
    })

/** Parameters of POST /notification. */
export const CreateNotification = parameters({
  name: 'CreateNotification',
  required: { lang: Language, title: MessageText, resource_type: ResourceType },
  optional: {
    subtitle: OptionalMessageText,
    description: OptionalMessageText,
    date: DueDate,
    resource_id: ItemId,
  },
})
export type CreateNotification = typeof CreateNotification._A

type CreateNotificationNeeds =
  | 'notifications'
  | 'libraryItems'
  | 'mediaAddresses'
  | 'ids'
  | 'pushGateway'
  | 'clock'
  | 'devices'

/** The links that the related item gives, which must exist (G2). */
const relatedLinks = (
  ports: Pick<NotificationPorts, CreateNotificationNeeds>,
  resourceId: O.Option<ItemId>,
): TE.TaskEither<ResourceNotFound | Unavailable, NotificationLinks> =>
  O.isNone(resourceId)
    ? TE.right(NO_LINKS)
    : pipe(
        linksOf(ports, resourceId.value),
        TE.flatMap(TE.fromOption((): ResourceNotFound | Unavailable => RESOURCE_NOT_FOUND)),
      )

const keep = (
  ports: Pick<NotificationPorts, CreateNotificationNeeds>,
  view: NotificationView,
  policy: Pick<NotificationPolicy, 'look'>,
  receipt: Receipt<NotificationView> | undefined,
  act: TimedAct,
): TE.TaskEither<ValidationFailed | Unavailable, NotificationView> => {
  const { notification, links } = view
  const message = messageOf(notification, links, policy.look)
  const [first, ...rest] = sizeFaults(ports.pushGateway.bytesOf(message), message)
  return first === undefined
    ? TE.map(() => view)(
        ports.notifications.add(
          notification,
          receiptFrom(receipt, () => view),
          act,
        ),
      )
    : TE.left(validationFailed([first, ...rest]))
}

/** Devices from which on a person must prove presence to schedule a notification (M4). */
export const LARGE_PUSH = 1000

const isLarge = (audience: Readonly<Record<DeviceKind, number>>): boolean =>
  Object.values(audience).reduce((sum, devices) => sum + devices, 0) >= LARGE_PUSH

/** Lets a person schedule a large push only with a recent proof of presence (M4). Clients of the API need none. */
const checkPresence = (
  { clock, devices }: Pick<NotificationPorts, 'clock' | 'devices'>,
  caller: Caller,
  { lang, date }: CreateNotification,
): TE.TaskEither<PresenceRequired | Unavailable, void> => {
  const proved = requirePresence(clock.now())(caller)
  if (E.isRight(proved) || date === undefined) return TE.right(undefined)
  return pipe(
    devices.audience(lang),
    TE.flatMap(
      (audience): TE.TaskEither<PresenceRequired | Unavailable, void> =>
        isLarge(audience) ? TE.left(proved.left) : TE.right(undefined),
    ),
  )
}

/** Schedules a notification for its date; without one it is never sent (G2, G4, G6). */
export const makeCreateNotification =
  (ports: Pick<NotificationPorts, CreateNotificationNeeds>, policy: Pick<NotificationPolicy, 'look'>) =>
  (
    caller: Caller,
    command: CreateNotification,
    receipt?: Receipt<NotificationView>,
  ): TE.TaskEither<
    InsufficientScope | PresenceRequired | ValidationFailed | ResourceNotFound | Unavailable,
    NotificationView
  > =>
    permitted(
      'createNotification',
      caller,
    )(() => {
      const notification: Notification = {
        id: ports.ids.nextNotificationId(),
        lang: command.lang,
        title: command.title,
        subtitle: O.fromNullable(command.subtitle),
        description: O.fromNullable(command.description),
        date: O.fromNullable(command.date),
        resourceId: O.fromNullable(command.resource_id),
      }
      const act: TimedAct = {
        actor: caller.actor,
        action: 'create-notification',
        at: ports.clock.now(),
      }
      const create = (): TE.TaskEither<ValidationFailed | ResourceNotFound | Unavailable, NotificationView> =>
        pipe(
          relatedLinks(ports, notification.resourceId),
          TE.flatMap(
            (links): TE.TaskEither<ValidationFailed | ResourceNotFound | Unavailable, NotificationView> =>
              keep(ports, { notification, links }, policy, receipt, act),
          ),
        )
      return pipe(
        checkPresence(ports, caller, command),
        TE.flatMap(
          (): TE.TaskEither<
            PresenceRequired | ValidationFailed | ResourceNotFound | Unavailable,
            NotificationView
          > => create(),
        ),
      )
    })

/** Parameters of DELETE /notification/<notificationId>. */
export const OneNotification = parameters({
  name: 'OneNotification',
  required: { id: NotificationId },
  optional: {},
})
export type OneNotification = typeof OneNotification._A

const deletion = ({ clock }: Pick<NotificationPorts, 'clock'>, { actor }: Caller): TimedAct => ({
  actor,
  action: 'delete-notification',
  at: clock.now(),
})

/** Deletes a notification; one that is being sent stops (G3). */
export const makeRemoveNotification =
  (ports: Pick<NotificationPorts, 'notifications' | 'clock'>) =>
  (
    caller: Caller,
    { id }: OneNotification,
  ): TE.TaskEither<InsufficientScope | NotificationNotFound | Unavailable, void> =>
    permitted('removeNotification', caller)(() => ports.notifications.remove(id, deletion(ports, caller)))

/** Deletes a notification that no review has started; one that is started stays (G3, G4). */
export const makeWithdrawNotification =
  (ports: Pick<NotificationPorts, 'notifications' | 'clock'>) =>
  (
    caller: Caller,
    { id }: OneNotification,
  ): TE.TaskEither<InsufficientScope | NotificationNotFound | NotificationStarted | Unavailable, void> =>
    permitted('removeNotification', caller)(() => ports.notifications.withdraw(id, deletion(ports, caller)))
