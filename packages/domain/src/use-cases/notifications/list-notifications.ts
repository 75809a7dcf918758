import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import type { Notification } from '../../notifications/notification.ts'
import {
  matchesNotification,
  NotificationCursor,
  type NotificationQuery,
} from '../../notifications/queries.ts'
import type { NotificationPorts } from '../../ports/of-notifications.ts'
import { NotificationId } from '../../values/ids.ts'
import {
  dropOffsetWithoutLimit,
  Lim,
  listingOf,
  mapListing,
  Offset,
  pageRequest,
  type ResultSet,
} from '../../values/page.ts'
import { parameters } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'
import { Language } from '../../values/text.ts'
import { withLinks } from './links-of.ts'
import type { NotificationView } from './view.ts'

/** Parameters of GET /notification. */
export const ListNotifications = parameters({
  name: 'ListNotifications',
  required: {},
  optional: { id: NotificationId, lim: Lim, offset: Offset, lang: Language, after: NotificationCursor },
  prepare: dropOffsetWithoutLimit,
})
export type ListNotifications = typeof ListNotifications._A

type Needs = 'notifications' | 'libraryItems' | 'mediaAddresses'
type Found = ResultSet<Notification, NotificationCursor>

const one = (
  ports: Pick<NotificationPorts, Needs>,
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

/** Notifications by date, latest first, undated last; one asked for by its id is a collection of at most one (G1, G3). */
export const makeListNotifications =
  (ports: Pick<NotificationPorts, Needs>) =>
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
