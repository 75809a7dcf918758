import { sampleNotification, sampleNotificationId } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import * as domain from './fixtures/domain.ts'

// Changing a notification, and two as one announcement (G13, G14).

const lang = fc.constantFrom(...domain.LANGUAGES)
const date = fc.option(fc.integer({ min: 0, max: 3 })).map((n) => {
  return n === null ? O.none : O.some(domain.instant(n * domain.SECOND))
})

const standing = (n: number): fc.Arbitrary<domain.Standing> =>
  fc
    .record({ lang, date, isStarted: fc.boolean(), revision: fc.integer({ min: 1, max: 3 }) })
    .map(({ isStarted, ...over }) => ({ notification: sampleNotification(n, over), isStarted }))

const maybe = <A>(arbitrary: fc.Arbitrary<A>): fc.Arbitrary<O.Option<A>> =>
  fc.option(arbitrary).map(O.fromNullable)

const found: fc.Arbitrary<domain.Announcement> = fc.record({
  own: standing(1),
  counterpart: maybe(standing(2)),
  named: maybe(standing(3)),
})

const edit: fc.Arbitrary<domain.AnnouncementEdit> = fc.record(
  {
    lang,
    title: fc.constantFrom('New' as domain.MessageText, sampleNotification(1).title),
    date,
    subtitle: maybe(fc.constant('Sub' as domain.MessageText)),
    counterpartId: maybe(fc.constant(sampleNotificationId(3))),
    both: fc.boolean(),
  },
  { requiredKeys: ['both'] },
)

const decided = (given: domain.Announcement, asked: domain.AnnouncementEdit) =>
  domain.changeAnnouncement(asked, O.none)(given)

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

t.test('G13: nothing that a review has taken up changes', async (t) => {
  fc.assert(
    fc.property(found, edit, (given, asked) => {
      const result = decided(given, asked)
      if (given.own.isStarted) return E.isLeft(result) && result.left._tag === 'NotificationStarted'
      if (E.isLeft(result) || O.isNone(result.right.moved)) return true
      const { counterpart, moved } = result.right
      return O.isSome(counterpart) && !counterpart.value.isStarted && isSame(moved.value.date, asked.date)
    }),
  )
  t.pass()
})

t.test('G13: the revision grows by one if and only if a value differs; absent values stay', async (t) => {
  fc.assert(
    fc.property(found, edit, (given, asked) => {
      const result = decided(given, asked)
      if (E.isLeft(result)) return true
      const { notification: before } = given.own
      const { own } = result.right
      const isUnchanged = isSame({ ...own, revision: 0 }, { ...before, revision: 0 })
      const { both: _, counterpartId: __, ...values } = asked
      const isAsked = Object.entries(values).every(([name, value]) =>
        isSame(own[name as keyof domain.Notification], value),
      )
      return isAsked && own.revision === before.revision + (isUnchanged ? 0 : 1)
    }),
  )
  t.pass()
})

t.test(
  'G14: the counterpart after a change is the named one, or the one before in the other language',
  async (t) => {
    fc.assert(
      fc.property(found, edit, (given, asked) => {
        const result = decided(given, asked)
        if (E.isLeft(result)) return true
        const { counterpart, counterpartId, own, moved } = result.right
        const isNamed = asked.counterpartId !== undefined
        if (asked.counterpartId !== undefined && O.isNone(asked.counterpartId)) return O.isNone(counterpart)
        const fits = O.isNone(counterpart) || isNamed || counterpart.value.notification.lang !== own.lang
        const movesIt =
          O.isNone(moved) || (O.isSome(counterpart) && moved.value.id === counterpart.value.notification.id)
        return fits && movesIt && O.isSome(counterpartId) === O.isSome(counterpart)
      }),
    )
    t.pass()
  },
)

t.test('G13, C10: 409 comes before 412', async (t) => {
  const own = { notification: sampleNotification(1), isStarted: true }
  const change = domain.changeAnnouncement({ both: false }, O.some(new Set([9])))
  const tagOf = (isStarted: boolean) => {
    const result = change({ own: { ...own, isStarted }, counterpart: O.none, named: O.none })
    return E.isLeft(result) ? result.left._tag : 'none'
  }
  t.strictSame([tagOf(true), tagOf(false)], ['NotificationStarted', 'PreconditionFailed'])
})

t.test('G14: two of one language are no announcement', async (t) => {
  const [en, fr] = [sampleNotification(1), sampleNotification(2, { lang: 'fr' })]
  t.strictSame(domain.tieFaults(en, fr), [])
  t.strictSame(
    domain.tieFaults(en, en).map(({ field }) => field),
    ['counterpartId'],
  )
})
