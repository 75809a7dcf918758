import type { UnpublishedFeedItem, UnpublishedLibraryItem } from '@almoner/domain/content'
import type { MediaName, StoredImage } from '@almoner/domain/media'
import type { MessageText, Notification } from '@almoner/domain/notifications'
import type { Device, DeviceToken } from '@almoner/domain/people'
import {
  addMillis,
  type Email,
  type Instant,
  type ItemDescription,
  type ItemId,
  type ItemTitle,
  instant,
  type LocalDate,
  type NotificationId,
  type WebUrl,
} from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'

/** Returns the right side of a task that must succeed; a failure fails the test. */
export const done = async <E, A>(task: TE.TaskEither<E, A>): Promise<A> => {
  const result = await task()
  if (E.isRight(result)) return result.right
  throw new Error('expected success', { cause: result.left })
}

/** Returns the tag of a task that must fail, or `none` if it succeeds. */
export const failure = async <A>(task: TE.TaskEither<{ readonly _tag: string }, A>): Promise<string> => {
  const result = await task()
  return E.isLeft(result) ? result.left._tag : 'none'
}

/** The identifier of the n-th sample: the greater n, the newer. */
export const sampleId = (n: number): ItemId =>
  `0190aaaa-0000-7000-8000-${n.toString(16).padStart(12, '0')}` as ItemId

/** The day n days after 2025-01-01. */
export const sampleDay = (n: number): LocalDate =>
  new Date(Date.UTC(2025, 0, 1 + n)).toISOString().slice(0, 10) as LocalDate

/** The n-th stored image. */
export const sampleImage = (n: number): StoredImage => ({
  name: `sample-image-${n.toString().padStart(6, '0')}.png` as MediaName,
  type: 'image/png',
  bytes: 100 + n,
  size: { width: 400 + n, height: 560 },
})

const core = (n: number) => ({
  id: sampleId(n),
  isDonorRestricted: false,
  lang: 'en' as const,
  title: `Title ${n} é 😀` as ItemTitle,
  description: 'It has "quotes", a\nline break and 日本語' as ItemDescription,
  createdAt: instant(1_700_000_000_000 + n),
  updatedAt: instant(1_700_000_000_000 + n),
  revision: 1,
  status: 'Draft' as const,
  publishAt: O.none,
  archiveAt: O.none,
})

/** A Draft in English, public, published on the n-th day. */
export const sampleLibraryItem = (
  n: number,
  over: Partial<UnpublishedLibraryItem> = {},
): UnpublishedLibraryItem => ({
  ...core(n),
  link: `https://example.org/${n}?q=%20é` as WebUrl,
  publicationDate: sampleDay(n),
  images: { cover: O.none, notification: O.none },
  coverAlt: O.none,
  notificationAlt: O.none,
  ...over,
})

/** A Draft of a link post in English, public, made n milliseconds after the first. */
export const sampleFeedItem = (n: number, over: Partial<UnpublishedFeedItem> = {}): UnpublishedFeedItem => ({
  ...core(n),
  content: {
    kind: 'link',
    link: { _tag: 'Some', value: `https://example.org/${n}` as WebUrl },
    vlink: O.none,
    image: O.none,
  },
  imageAlt: O.none,
  reason: O.none,
  ...over,
})

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
  revision: 1,
  lang: 'en',
  title: `Title ${n} é 😀` as MessageText,
  subtitle: O.none,
  description: O.some('It has "quotes", a\nline break and 日本語' as MessageText),
  date: O.some(SAMPLE_MOMENT),
  resourceId: O.none,
  labelId: O.none,
  ...over,
})
