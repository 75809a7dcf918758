import {
  CreateNotification,
  DELIVERED,
  type Instant,
  type LibraryItem,
  later,
  MINUTE,
  makeCreateNotification,
  makeReview,
  type Notification,
  type NotificationId,
  type NotificationWithProgress,
  SECOND,
  type Unavailable,
} from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type DemoNotification, demoNotifications } from '../../demo/notifications.ts'
import { DEMO_EDITOR } from './clients.ts'
import { heldItems } from './held.ts'
import { at, command, mustSucceed, oneByOne, type Seeding } from './seeding.ts'

const create = (
  { ports, policy, now }: Seeding,
  { about, due, ...text }: DemoNotification,
  items: ReadonlyMap<string, LibraryItem>,
): TE.TaskEither<Unavailable, Notification> => {
  const asked = command(CreateNotification, {
    ...text,
    date: due === undefined ? undefined : Math.floor(now / SECOND) + due,
    resource_type: 'Library',
    // A title that no publication has is no id either, and is refused.
    resource_id: about === undefined ? undefined : (items.get(about)?.id ?? about),
  })
  return pipe(
    mustSucceed(makeCreateNotification(ports, policy)(DEMO_EDITOR, asked)),
    TE.map(({ notification }) => notification),
  )
}

const isOpen = (found: O.Option<NotificationWithProgress>): boolean => {
  const progress = O.flatMap(({ progress }: NotificationWithProgress) => progress)(found)
  return O.isSome(found) && (O.isNone(progress) || O.isNone(progress.value.finishedAt))
}

/** More tries than can be cut off by accident; what they leave is for the server's own reviews. */
const TRIES = 20

/**
 * Has a notification of the past sent then, to nobody. A try that was cut off has left its claim, which binds for less than a
 * minute: so each review is a minute after the last, until all is settled.
 */
const settle = ({ ports, policy }: Seeding, id: NotificationId, date: Instant) => {
  const pushGateway = { ...ports.pushGateway, send: () => async () => DELIVERED }
  const reviewAt = (moment: Instant) =>
    makeReview({ ...at(ports, moment), pushGateway }, policy)({ window: 100, isStopping: () => false })
  const from = (tries: number): TE.TaskEither<Unavailable, void> =>
    pipe(
      ports.notifications.find(id),
      TE.flatMap((found) =>
        isOpen(found) && tries < TRIES
          ? TE.flatMap(() => from(tries + 1))(reviewAt(later(date, tries * MINUTE)))
          : TE.right(undefined),
      ),
    )
  return from(0)
}

const settleIfPast =
  (seeding: Seeding, { due }: DemoNotification) =>
  ({ id, date }: Notification): TE.TaskEither<Unavailable, void> =>
    due !== undefined && due < 0 && O.isSome(date) ? settle(seeding, id, date.value) : TE.right(undefined)

/** Notifications: one that has gone out, one that soon does, one that never will. */
export const seedNotifications = (seeding: Seeding): TE.TaskEither<Unavailable, unknown> =>
  pipe(
    TE.Do,
    TE.bind('items', () => heldItems<LibraryItem>(seeding.ports.libraryItems)),
    TE.bind('held', () => heldItems<Notification>(seeding.ports.notifications)),
    TE.flatMap(({ items, held }) =>
      oneByOne(demoNotifications, (content) => {
        const found = held.get(content.title)
        return TE.flatMap(settleIfPast(seeding, content))(
          found === undefined ? create(seeding, content, items) : TE.right(found),
        )
      }),
    ),
  )
