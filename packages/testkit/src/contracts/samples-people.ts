import type { MessageText, Notification } from '@almoner/domain/notifications'
import type { Device, DeviceToken } from '@almoner/domain/people'
import { addMillis, type Email, type Instant, instant, type NotificationId } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'

/** The time at which samples of people and notifications begin. */
export const SAMPLE_MOMENT = instant(Date.UTC(2026, 2, 1, 12))

/** Returns the moment this number of seconds after {@link SAMPLE_MOMENT}. */
export const sampleMoment = (seconds: number): Instant => addMillis(SAMPLE_MOMENT, seconds * 1000)

/** The n-th user; the greater n, the later in the order of emails. */
export const sampleEmail = (n: number): Email =>
  `reader-${n.toString().padStart(5, '0')}@example.org` as Email

/** The n-th device's token. */
export const sampleToken = (n: number): DeviceToken => `fcm:token-${n}` as DeviceToken

/** The n-th device, which the n-th user holds. */
export const sampleDevice = (n: number, over: Partial<Device> = {}): Device => ({
  token: sampleToken(n),
  email: sampleEmail(n),
  kind: 'fcm',
  attachedAt: SAMPLE_MOMENT,
  ...over,
})

/** The identifier of the n-th notification: the greater n, the newer. */
export const sampleNotificationId = (n: number): NotificationId =>
  `0190bbbb-0000-7000-8000-${n.toString(16).padStart(12, '0')}` as NotificationId

/** A notification in English, due at {@link SAMPLE_MOMENT}, without a related item. */
export const sampleNotification = (n: number, over: Partial<Notification> = {}): Notification => ({
  id: sampleNotificationId(n),
  lang: 'en',
  title: `Title ${n} é 😀` as MessageText,
  subtitle: O.none,
  description: O.some('It has "quotes", a\nline break and 日本語' as MessageText),
  date: O.some(SAMPLE_MOMENT),
  resourceId: O.none,
  ...over,
})
