import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { isVisible, type Visibility } from '../content/rules.ts'
import type { ItemId, LabelId } from '../values/ids.ts'
import type { Unavailable } from '../values/ports.ts'
import { linksFrom, NO_LINKS, type Notification, type NotificationLinks } from './model.ts'
import type { NotificationPorts, NotificationWithProgress } from './ports.ts'

/** A notification as it is read: with what its related item gives it now (G1). */
export interface NotificationView {
  readonly notification: Notification
  readonly links: NotificationLinks
  /** The notification that is the same announcement in the other language; absent unless it was asked for (G14). */
  readonly counterpart?: O.Option<NotificationWithProgress>
  /** Its label, if that was asked for (G12). */
  readonly topic?: O.Option<LabelId>
}

type LinksOfNeeds = 'libraryItems' | 'mediaAddresses'

/** The links that a library item gives now; none when there is no such item (G1). */
export const linksOf = (
  { libraryItems, mediaAddresses }: Pick<NotificationPorts, LinksOfNeeds>,
  id: ItemId,
): TE.TaskEither<Unavailable, O.Option<NotificationLinks>> =>
  pipe(libraryItems.find(id), TE.map(O.map(linksFrom(mediaAddresses))))

/** Notifications with what their items give them now, all items read at once (G1). An item that the reader may not see gives nothing (A3). */
export const withLinks =
  (
    { libraryItems, mediaAddresses }: Pick<NotificationPorts, LinksOfNeeds>,
    visibility: Visibility = { kind: 'everything' },
  ) =>
  (
    notifications: ReadonlyArray<Notification>,
  ): TE.TaskEither<Unavailable, ReadonlyArray<NotificationView>> => {
    const ids = notifications.flatMap(({ resourceId }) => (O.isSome(resourceId) ? [resourceId.value] : []))
    return pipe(
      ids.length === 0 ? TE.right([]) : libraryItems.findAll([...new Set(ids)]),
      TE.map((items) => {
        const seen = items.filter(isVisible(visibility))
        const links = new Map(seen.map((item) => [item.id, linksFrom(mediaAddresses)(item)]))
        const given = (id: O.Option<ItemId>) => (O.isSome(id) ? links.get(id.value) : undefined)
        return notifications.map((notification) => ({
          notification,
          links: given(notification.resourceId) ?? NO_LINKS,
        }))
      }),
    )
  }

/** Adds to notifications their topics (G12). */
export const withTopics = (views: ReadonlyArray<NotificationView>): ReadonlyArray<NotificationView> =>
  views.map((view) => ({ ...view, topic: view.notification.labelId }))

/** Adds to notifications their counterparts, all read at once (G14). */
export const withCounterparts =
  ({ notifications }: Pick<NotificationPorts, 'notifications'>) =>
  (views: ReadonlyArray<NotificationView>): TE.TaskEither<Unavailable, ReadonlyArray<NotificationView>> =>
    pipe(
      notifications.counterparts(views.map(({ notification: { id } }) => id)),
      TE.map((found) =>
        views.map((view) => ({ ...view, counterpart: O.fromNullable(found.get(view.notification.id)) })),
      ),
    )
