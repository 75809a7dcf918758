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
} from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import contents from '../../demo/notifications.json' with { type: 'json' }
import { EDITOR } from './clients.ts'
import { at, command, existing, mustSucceed, type Seeding } from './seeding.ts'

const isOpen = (found: O.Option<NotificationWithProgress>): boolean => {
  const finishedAt = pipe(
    O.flatMap(({ progress }: NotificationWithProgress) => progress)(found),
    O.flatMap((progress) => progress.finishedAt),
  )
  return O.isSome(found) && O.isNone(finishedAt)
}

/** More attempts than accidents can interrupt. The server's own reviews settle what they leave. */
const ATTEMPTS = 20

/**
 * Records a notification of the past as delivered at its date, without a push. An interrupted attempt leaves its claim, which expires
 * in less than a minute: each review is therefore dated a minute after the last.
 */
const settle = async ({ ports, policy }: Seeding, id: NotificationId, date: Instant): Promise<void> => {
  const pushGateway = { ...ports.pushGateway, send: () => async () => DELIVERED }
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (!isOpen(await mustSucceed(ports.notifications.find(id)))) return
    const then = { ...at(ports, later(date, attempt * MINUTE)), pushGateway }
    await mustSucceed(makeReview(then, policy)({ window: 100 }))
  }
}

/** Seeds the notifications: one that has gone out, one due soon, one without a date. */
export const seedNotifications = async (seeding: Seeding): Promise<void> => {
  const { ports, policy, now } = seeding
  const items = await existing<LibraryItem>(ports.libraryItems)
  const known = await existing<Notification>(ports.notifications)
  for (const { about, due, ...text } of contents) {
    const parameters = {
      ...text,
      date: due === undefined ? undefined : Math.floor(now / SECOND) + due,
      resource_type: 'Library',
      resource_id: about === undefined ? undefined : items.get(about)?.id,
    }
    const create = makeCreateNotification(ports, policy)(EDITOR, command(CreateNotification, parameters))
    const { id, date } = known.get(text.title) ?? (await mustSucceed(create)).notification
    if (due !== undefined && due < 0 && O.isSome(date)) await settle(seeding, id, date.value)
  }
}
