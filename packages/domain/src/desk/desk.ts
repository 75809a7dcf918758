import * as O from 'fp-ts/lib/Option.js'
import type { FeedItem, LibraryItem } from '../content/model.ts'
import { type Counterpart, isOutdated } from '../content/rules.ts'
import type { DeliveryState, Notification } from '../notifications/model.ts'
import type { Language } from '../values/text.ts'
import { type Instant, instant } from '../values/time.ts'

/** Work that waits for content managers, in numbers. */
export interface DeskCounts {
  /** Posts that wait for approval: Drafts of the feed. */
  readonly waiting: number
  /** When the oldest of them was created. */
  readonly oldestWaiting: O.Option<Instant>
  /** By language: Live publications in the other language that have no Live counterpart in this one (J7). */
  readonly lacking: Readonly<Record<Language, number>>
  /** Live translations whose original is Live and has changed later (J7). */
  readonly older: number
}

/** A notification, and how far its delivery has come. */
export interface NotificationState {
  readonly notification: Notification
  readonly state: DeliveryState
}

/** What a content manager should look at. */
export interface Desk extends DeskCounts {
  /** The notifications of today, the first one first. */
  readonly today: ReadonlyArray<NotificationState>
  /** Recent notifications that did not reach all their devices, the latest first. */
  readonly failed: ReadonlyArray<NotificationState>
}

/** Returns the counterpart of an item if it is Live, and so its readers in the other language are served. */
const liveCounterpart = (counterpart: O.Option<Counterpart>): O.Option<Counterpart> =>
  O.filter(({ status }: Counterpart) => status === 'Live')(counterpart)

/** Counts what waits. Each store's translation is tested against it. */
export const countDesk = (
  posts: ReadonlyArray<FeedItem>,
  publications: ReadonlyArray<LibraryItem>,
  counterpartOf: (item: LibraryItem) => O.Option<Counterpart>,
): DeskCounts => {
  const drafts = posts.filter(({ status }) => status === 'Draft')
  const live = publications
    .filter(({ status }) => status === 'Live')
    .map((item) => ({ item, counterpart: liveCounterpart(counterpartOf(item)) }))
  const lacking = (other: Language) =>
    live.filter(({ item, counterpart }) => item.lang === other && O.isNone(counterpart)).length
  const older = live.filter(({ item, counterpart }) =>
    O.exists((original: Counterpart) => isOutdated(item, original))(counterpart),
  )
  return {
    waiting: drafts.length,
    oldestWaiting:
      drafts.length === 0 ? O.none : O.some(instant(Math.min(...drafts.map(({ createdAt }) => createdAt)))),
    lacking: { en: lacking('fr'), fr: lacking('en') },
    older: older.length,
  }
}
