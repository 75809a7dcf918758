import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { TimedAct } from '../access/acts.ts'
import { type Caller, type InsufficientScope, permitted } from '../access/caller.ts'
import { includeOf } from '../content/include.ts'
import type { Precondition, PreconditionFailed } from '../content/model.ts'
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
import { parameters } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { oneOf } from '../values/refined.ts'
import { Language } from '../values/text.ts'
import { type NotificationView, withCounterparts, withLinks, withTopics } from './links.ts'
import {
  DELIVERY_STATES,
  matchesNotification,
  type Notification,
  NotificationCursor,
  type NotificationNotFound,
  type NotificationQuery,
  type NotificationStarted,
} from './model.ts'
import type { NotificationPorts } from './ports.ts'

/** `state`: how far a notification has come, as its delivery report says (G7, G14). */
export const DeliveryStateFilter = oneOf(
  'DeliveryStateFilter',
  DELIVERY_STATES,
  'State of the notification, as its delivery report has it.',
)

/** `both`: whether an act on a notification is one on its counterpart too (G14). */
export const Both = oneOf(
  'Both',
  ['true', 'false'],
  'Whether the counterpart is moved or deleted together with the notification.',
)

/** Parameters of GET /notification. */
export const ListNotifications = parameters({
  name: 'ListNotifications',
  required: {},
  optional: {
    id: NotificationId,
    lim: Lim,
    offset: Offset,
    lang: Language,
    resourceId: ItemId,
    state: DeliveryStateFilter,
    include: includeOf(['counterpart', 'topic'], 'each notification'),
    after: NotificationCursor,
  },
  prepare: dropOffsetWithoutLimit,
})
export type ListNotifications = typeof ListNotifications._A

type ListNotificationsNeeds = 'notifications' | 'libraryItems' | 'mediaAddresses'
type Views = ReadonlyArray<NotificationView>
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
      const matching =
        O.isSome(found) &&
        offset === 0 &&
        matchesNotification(query)(found.value.notification, found.value.progress)
      return listingOf(matching ? [found.value.notification] : [], O.none)
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
      const query: NotificationQuery = {
        lang: O.fromNullable(asked.lang),
        resourceId: O.fromNullable(asked.resourceId),
        state: O.fromNullable(asked.state),
      }
      const includesCounterpart = asked.include?.includes('counterpart') === true
      const topics = asked.include?.includes('topic') === true ? withTopics : (views: Views) => views
      const viewsOf = (found: ReadonlyArray<Notification>) =>
        pipe(
          withLinks(ports)(found),
          TE.flatMap(includesCounterpart ? withCounterparts(ports) : (views) => TE.right(views)),
          TE.map(topics),
        )
      const window = pageRequest(asked)
      return pipe(
        asked.id === undefined
          ? ports.notifications.list(query, window)
          : one(ports, asked.id, query, window.offset),
        TE.map((found) => mapListing(found, viewsOf)),
      )
    })

/** Parameters that name one notification. */
export const OneNotification = parameters({
  name: 'OneNotification',
  required: { id: NotificationId },
  optional: {},
})
export type OneNotification = typeof OneNotification._A

/** Parameters of DELETE /notification/<notificationId>. */
export const RemoveNotification = parameters({
  name: 'RemoveNotification',
  required: { id: NotificationId },
  optional: { both: Both },
})
export type RemoveNotification = typeof RemoveNotification._A

const deletion = ({ clock }: Pick<NotificationPorts, 'clock'>, { actor }: Caller): TimedAct => ({
  actor,
  action: 'delete-notification',
  at: clock.now(),
})

/** Deletes a notification, and with `both` its counterpart; one that is being sent stops (G3, G14). Honours the writer's expectation (C10). */
export const makeRemoveNotification =
  (ports: Pick<NotificationPorts, 'notifications' | 'clock'>) =>
  (
    caller: Caller,
    { id, both }: RemoveNotification,
    expected: Precondition = O.none,
  ): TE.TaskEither<InsufficientScope | NotificationNotFound | PreconditionFailed | Unavailable, void> =>
    permitted(
      'removeNotification',
      caller,
    )(() => ports.notifications.remove(id, deletion(ports, caller), { both: both === 'true', expected }))

/** Deletes a notification that no review has started; one that is started stays (G3, G4). */
export const makeWithdrawNotification =
  (ports: Pick<NotificationPorts, 'notifications' | 'clock'>) =>
  (
    caller: Caller,
    { id }: OneNotification,
  ): TE.TaskEither<InsufficientScope | NotificationNotFound | NotificationStarted | Unavailable, void> =>
    permitted('removeNotification', caller)(() => ports.notifications.withdraw(id, deletion(ports, caller)))
