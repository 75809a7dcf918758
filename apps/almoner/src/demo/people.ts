import {
  CreateNotification,
  createAlmoner,
  DEFAULT_POLICY,
  type Instant,
  type LibraryItem,
} from '@almoner/domain'
import { DELIVERED, type Notification } from '@almoner/domain/notifications'
import { AttachDevice, SetPreference } from '@almoner/domain/people'
import { addMillis, instant, MINUTE, type NotificationId, SECOND } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import contents from '../../demo/notifications.json' with { type: 'json' }
import people from '../../demo/people.json' with { type: 'json' }
import { EDITOR, USER_MANAGER } from './clients.ts'
import { at, command, existing, HOUR, mustSucceed, type Seeding } from './seeding.ts'

/** Dates the devices of the n-th user: over the past weeks, at irregular times. */
const attachedAt = (now: Instant, n: number): Instant =>
  instant(now - (40 + 59 * n + ((31 * n) % 23)) * HOUR - ((19 * n) % 60) * MINUTE)

/** Seeds the users with their devices. Idempotent. */
export const seedPeople = async ({ ports, now }: Seeding): Promise<void> => {
  const { users } = createAlmoner(ports)
  for (const [n, { devices, ...preference }] of people.entries()) {
    await mustSucceed(users.setPreference(USER_MANAGER, command(SetPreference, preference)))
    // The default policy: these tokens name kinds that no setting changes.
    const { attach } = at({ ports, policy: DEFAULT_POLICY }, attachedAt(now, n)).devices
    for (const token of devices) {
      const device = command(AttachDevice, { email: preference.email, device_token: token })
      await mustSucceed(attach(USER_MANAGER, device))
    }
  }
}

/** More attempts than accidents can interrupt. The server's own reviews settle what they leave. */
const ATTEMPTS = 20

/** Records a past notification as delivered, without a push. Each attempt is dated a minute later, when an earlier claim has expired. */
const settle = async ({ ports, policy }: Seeding, id: NotificationId, date: Instant): Promise<void> => {
  const pushGateway = { ...ports.pushGateway, send: () => async () => DELIVERED }
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const found = O.toUndefined(await mustSucceed(ports.notifications.find(id)))
    const progress = found && O.toUndefined(found.progress)
    if (found === undefined || (progress !== undefined && O.isSome(progress.finishedAt))) return
    const then = at({ ports: { ...ports, pushGateway }, policy }, addMillis(date, attempt * MINUTE))
    await mustSucceed(then.notifications.review({ window: 100 }))
  }
}

/** Seeds the notifications: one that has gone out, one due soon, one without a date. Idempotent. */
export const seedNotifications = async (seeding: Seeding): Promise<void> => {
  const { ports, policy, now } = seeding
  const { notifications } = createAlmoner(ports, policy)
  const items = await existing<LibraryItem>(ports.libraryItems)
  const known = await existing<Notification>(ports.notifications)
  for (const { about, due, ...text } of contents) {
    const parameters = {
      ...text,
      date: due === undefined ? undefined : Math.floor(now / SECOND) + due,
      resource_type: 'Library',
      resource_id: about === undefined ? undefined : items.get(about)?.id,
    }
    const create = notifications.schedule(EDITOR, command(CreateNotification, parameters))
    const { id, date } = known.get(text.title) ?? (await mustSucceed(create)).notification
    if (due !== undefined && due < 0 && O.isSome(date)) await settle(seeding, id, date.value)
  }
}
