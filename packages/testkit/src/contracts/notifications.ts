import { compareCursors } from '@almoner/domain/content'
import {
  type MessageText,
  type Notification,
  type NotificationCursor,
  type NotificationQuery,
  notificationCursor,
} from '@almoner/domain/notifications'
import type { Notifications } from '@almoner/domain/ports'
import { collect, type ItemId, WHOLE_COLLECTION } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { type ContractRunner, onEach, type UnderTest } from './runner.ts'
import { done, failure, sampleId, sampleMoment, sampleNotification, sampleNotificationId } from './samples.ts'

/** A store for one test, with its own data. */
export type NotificationsUnderTest = UnderTest<'notifications'>

const ALL: NotificationQuery = { lang: O.none }

/** Several samples have the same date or none, so that the id decides the order; ids do not grow with n. */
const sample = (n: number): Notification =>
  sampleNotification((n * 7919) % 10_007, {
    date: n % 4 === 0 ? O.none : O.some(sampleMoment(n % 5)),
    lang: n % 3 === 0 ? 'fr' : 'en',
    subtitle: n % 2 === 0 ? O.none : O.some(`Subtitle ${n}` as MessageText),
    resourceId: n % 5 === 0 ? O.some(sampleId(n)) : O.none,
  })

/** Contract tests of `Notifications`. Deliveries have their own suite. */
export const notificationsContract = (
  runner: ContractRunner,
  make: () => Promise<NotificationsUnderTest>,
): void => {
  const given = onEach(runner, make, ({ notifications }) => notifications)
  const fill = async (notifications: Notifications, count: number) => {
    const made = Array.from({ length: count }, (_, n) => sample(n))
    for (const one of made) await done(notifications.add(one))
    return [...made].sort((a, b) => compareCursors(notificationCursor(a), notificationCursor(b)))
  }
  const page = (
    notifications: Notifications,
    lim: number,
    offset: number,
    after: O.Option<NotificationCursor> = O.none,
    query = ALL,
  ) => done(notifications.list(query, { lim: O.some(lim), offset, after }))
  const whole = async (notifications: Notifications, query = ALL) =>
    collect(await done(notifications.list(query, WHOLE_COLLECTION)))

  given(
    'an added notification is found with all its fields and no progress; an unknown one is not',
    async (check, notifications) => {
      const bare = sampleNotification(1, { description: O.none, date: O.none })
      const full = sampleNotification(2, {
        lang: 'fr',
        subtitle: O.some('Sous-titre' as MessageText),
        date: O.some(sampleMoment(86_400 * 365 * 7000)),
        resourceId: O.some(sampleId(7) as ItemId),
      })
      for (const notification of [bare, full]) {
        await done(notifications.add(notification))
        const found = await done(notifications.find(notification.id))
        check.same(found, O.some({ notification, progress: O.none }))
      }
      check.same(await done(notifications.find(sampleNotificationId(3))), O.none)
    },
  )

  given(
    'G3: notifications are listed by date, latest first, undated last, then newest first',
    async (check, notifications) => {
      const ordered = await fill(notifications, 41)
      check.same(await whole(notifications), ordered)
      const dates = ordered.map(({ date }) => (O.isSome(date) ? date.value : Number.NEGATIVE_INFINITY))
      check.ok(dates.every((date, n) => n === 0 || date <= (dates[n - 1] ?? 0)))
      check.ok(dates.at(-1) === Number.NEGATIVE_INFINITY)
    },
  )

  given('G3: lang filters the list', async (check, notifications) => {
    const ordered = await fill(notifications, 20)
    for (const lang of ['en', 'fr'] as const)
      check.same(
        await whole(notifications, { lang: O.some(lang) }),
        ordered.filter((one) => one.lang === lang),
      )
    const french = ordered.filter(({ lang }) => lang === 'fr')
    const first = await page(notifications, 2, 1, O.none, { lang: O.some('fr') })
    check.same(await collect(first), french.slice(1, 3))
    const second = await page(notifications, 2, 0, first.next, { lang: O.some('fr') })
    check.same(await collect(second), french.slice(3, 5))
  })

  given(
    'G3, C11: following the cursors visits each notification once, undated ones too',
    async (check, notifications) => {
      const ordered = await fill(notifications, 23)
      const seen: Array<Notification> = []
      let after: O.Option<NotificationCursor> = O.none
      do {
        const { batches, next } = await page(notifications, 3, 0, after)
        const items = await collect({ batches, next })
        if (O.isSome(next)) check.same(items.length, 3, 'a page with a next page is full')
        seen.push(...items)
        after = next
      } while (O.isSome(after))
      check.same(seen, ordered)
      check.same((await page(notifications, 23, 0)).next, O.none, 'a full last page has no next page')
    },
  )

  given(
    'G3, B4: offset skips that many notifications; beyond the end the page is empty',
    async (check, notifications) => {
      const ordered = await fill(notifications, 6)
      check.same(await collect(await page(notifications, 2, 3)), ordered.slice(3, 5))
      check.same(await collect(await page(notifications, 2147483647, 4)), ordered.slice(4))
      for (const offset of [6, 2147483647])
        check.same(await collect(await page(notifications, 1, offset)), [])
      const third = ordered[2]
      const after = third === undefined ? O.none : O.some(notificationCursor(third))
      check.same(
        await collect(await page(notifications, 2, 1, after)),
        ordered.slice(4, 6),
        'an offset counts from a cursor',
      )
    },
  )

  given(
    'C12: without lim the collection is one snapshot, and writes continue',
    async (check, notifications) => {
      const ordered = await fill(notifications, 600)
      const listing = await done(notifications.list(ALL, WHOLE_COLLECTION))
      const seen: Array<Notification> = []
      let written = false
      for await (const batch of listing.batches) {
        seen.push(...batch)
        if (written) continue
        written = true
        const last = ordered.at(-1)
        if (last !== undefined) await done(notifications.remove(last.id))
        await done(notifications.add(sampleNotification(20_000, { date: O.none })))
      }
      check.same(seen, ordered)
      check.same((await whole(notifications)).length, 600)
    },
  )

  given('G7: notifications of a range of dates, latest first', async (check, notifications) => {
    const ordered = await fill(notifications, 20)
    const range = { from: sampleMoment(1), to: sampleMoment(3) }
    const within = ordered.filter(
      ({ date }) => O.isSome(date) && date.value >= range.from && date.value <= range.to,
    )
    check.ok(within.length > 5 && within.length < 15)
    const found = await done(notifications.dated({ ...range, most: 20 }))
    check.same(
      found,
      within.map((notification) => ({ notification, progress: O.none })),
    )
    check.same(await done(notifications.dated({ ...range, most: 2 })), found.slice(0, 2))
    check.same(await done(notifications.dated({ from: sampleMoment(5), to: sampleMoment(9), most: 2 })), [])
  })

  given(
    'G3: deleting a notification removes it; deleting it again, or an unknown one, is not found',
    async (check, notifications) => {
      const [first, second] = [sampleNotification(1), sampleNotification(2)]
      for (const one of [first, second]) await done(notifications.add(one))
      await done(notifications.remove(first.id))
      check.same(await done(notifications.find(first.id)), O.none)
      check.same(await whole(notifications), [second])
      check.same(await failure(notifications.remove(first.id)), 'NotificationNotFound')
      check.same(await failure(notifications.remove(sampleNotificationId(3))), 'NotificationNotFound')
      for (let round = 0; (await done(notifications.purge())) > 0; round += 1) check.ok(round < 10)
      check.same(await whole(notifications), [second], 'the purge deletes nothing else')
      check.same(await failure(notifications.remove(first.id)), 'NotificationNotFound')
    },
  )

  given('G3: a notification that is not started is withdrawn', async (check, notifications) => {
    const [first, second] = [sampleNotification(1), sampleNotification(2, { date: O.none })]
    for (const one of [first, second]) {
      await done(notifications.add(one))
      await done(notifications.withdraw(one.id))
      check.same(await done(notifications.find(one.id)), O.none)
      check.same(await failure(notifications.withdraw(one.id)), 'NotificationNotFound')
    }
  })

  given('G3: of two concurrent deletions of a notification, one succeeds', async (check, notifications) => {
    await done(notifications.add(sampleNotification(1)))
    const removals = Array.from({ length: 5 }, () => failure(notifications.remove(sampleNotificationId(1))))
    check.same((await Promise.all(removals)).filter((tag) => tag === 'none').length, 1)
  })
}
