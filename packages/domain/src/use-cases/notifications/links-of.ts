import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { linksFrom, NO_LINKS, type NotificationLinks } from '../../notifications/links.ts'
import type { Notification } from '../../notifications/notification.ts'
import type { NotificationPorts } from '../../ports/of-notifications.ts'
import type { ItemId } from '../../values/ids.ts'
import type { Unavailable } from '../../values/ports.ts'
import type { NotificationView } from './view.ts'

type Needs = 'libraryItems' | 'mediaAddresses'

/** The links that a library item gives now; none when there is no such item (G1). */
export const linksOf = (
  { libraryItems, mediaAddresses }: Pick<NotificationPorts, Needs>,
  id: ItemId,
): TE.TaskEither<Unavailable, O.Option<NotificationLinks>> =>
  pipe(libraryItems.find(id), TE.map(O.map(linksFrom(mediaAddresses))))

/** Notifications with what their items give them now, all items read at once (G1). */
export const withLinks =
  ({ libraryItems, mediaAddresses }: Pick<NotificationPorts, Needs>) =>
  (
    notifications: ReadonlyArray<Notification>,
  ): TE.TaskEither<Unavailable, ReadonlyArray<NotificationView>> => {
    const ids = notifications.flatMap(({ resourceId }) => (O.isSome(resourceId) ? [resourceId.value] : []))
    return pipe(
      ids.length === 0 ? TE.right([]) : libraryItems.findAll([...new Set(ids)]),
      TE.map((items) => {
        const links = new Map(items.map((item) => [item.id, linksFrom(mediaAddresses)(item)]))
        const given = (id: O.Option<ItemId>) => (O.isSome(id) ? links.get(id.value) : undefined)
        return notifications.map((notification) => ({
          notification,
          links: given(notification.resourceId) ?? NO_LINKS,
        }))
      }),
    )
  }
