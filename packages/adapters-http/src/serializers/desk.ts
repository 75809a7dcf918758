import { DELIVERY_STATES, type DeliveryState } from '@almoner/domain/notifications'
import type { Desk, NotificationState, PublishedMonth } from '@almoner/domain/operations'
import { toRfc3339 } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { int, LANG, literals, under } from './codecs.ts'

const TodayJson = t.strict({
  notificationId: t.string,
  lang: LANG,
  title: t.string,
  sendAt: t.string,
  state: literals(DELIVERY_STATES),
})

const FailedJson = t.strict({
  notificationId: t.string,
  title: t.string,
  reason: t.keyof({ failed: null, partial: null }),
})

/** What waits for content managers; `oldestWaiting` is null where no post waits (M7). */
export const DeskJson = under('desk', {
  waiting: t.Int,
  oldestWaiting: t.union([t.string, t.null]),
  lacking: t.strict({ en: t.Int, fr: t.Int }),
  older: t.Int,
  today: t.array(TodayJson),
  failed: t.array(FailedJson),
})

const encodeToday = ({ notification, state }: NotificationState): t.OutputOf<typeof TodayJson> => ({
  notificationId: notification.id,
  lang: notification.lang,
  title: notification.title,
  sendAt: O.getOrElse(() => '')(O.map(toRfc3339)(notification.date)),
  state,
})

const reasonOf = (state: DeliveryState): 'failed' | 'partial' => (state === 'failed' ? 'failed' : 'partial')

const encodeFailed = ({ notification, state }: NotificationState): t.OutputOf<typeof FailedJson> => ({
  notificationId: notification.id,
  title: notification.title,
  reason: reasonOf(state),
})

/** Writes what waits for content managers. */
export const encodeDesk = (desk: Desk): t.OutputOf<typeof DeskJson> => ({
  desk: {
    waiting: int(desk.waiting),
    oldestWaiting: O.toNullable(O.map(toRfc3339)(desk.oldestWaiting)),
    lacking: { en: int(desk.lacking.en), fr: int(desk.lacking.fr) },
    older: int(desk.older),
    today: desk.today.map(encodeToday),
    failed: desk.failed.map(encodeFailed),
  },
})

const CountsJson = t.strict({ en: t.Int, fr: t.Int })

/** The Live entries of some months by language. `month` is its first day. */
export const PublishedJson = under('published', {
  months: t.array(t.strict({ month: t.string, library: CountsJson, feed: CountsJson })),
})

/** Writes what was published in some months. */
export const encodePublished = (months: ReadonlyArray<PublishedMonth>): t.OutputOf<typeof PublishedJson> => ({
  published: {
    months: months.map(({ first, library, feed }) => ({
      month: first,
      library: { en: int(library.en), fr: int(library.fr) },
      feed: { en: int(feed.en), fr: int(feed.fr) },
    })),
  },
})
