import type { Ports } from '@almoner/domain'
import type { Notification } from '@almoner/domain/notifications'
import { unavailable } from '@almoner/domain/ports'
import type { NotificationId } from '@almoner/domain/values'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import { INSIDE } from '../support/failing.ts'
import { done, type Fixture, STORES, startFixture } from '../support/fixture.ts'
import { createLive } from '../support/items.ts'
import { lineAbout } from '../support/log-lines.ts'
import { deliveryOf, listed, notify, review } from '../support/notifications.ts'
import { AMINA, attach, preferenceOf, preferencePath, tokensOf } from '../support/people.ts'
import { seeProblem } from '../support/problems.ts'

// C12 for notifications, and what survives a restart.

/** Enough that their collection is not sent in one piece. */
const MANY = 1200

const numbered = (n: number): Notification => ({
  id: `0190000${n % 3}-0000-7000-8000-${String(n).padStart(12, '0')}` as NotificationId,
  lang: n % 2 === 0 ? 'en' : 'fr',
  title: `Notification ${n}` as Notification['title'],
  subtitle: O.none,
  description: O.some('x'.repeat(200) as Notification['title']),
  date: n % 5 === 0 ? O.none : O.some((n * 60_000) as never),
  revision: 1,
  resourceId: O.none,
  labelId: O.none,
})

/** The number of writes that can wait in a store. */
const AT_ONCE = 200

const fill = async ({ ports }: Fixture) => {
  for (let from = 0; from < MANY; from += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, n) => done(ports.notifications.add(numbered(from + n)))),
    )
}

/** Blocks a listing of notifications after its first batch, until it is released. */
const makeHold = () => {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  let armed = false
  const hold = async function* <A>(batches: AsyncIterable<A>) {
    for await (const batch of batches) {
      yield batch
      if (armed) {
        armed = false
        reached.resolve()
        await opened.promise
      }
    }
  }
  const wrap = (ports: Ports): Ports => ({
    ...ports,
    notifications: {
      ...ports.notifications,
      list: (query, window) =>
        pipe(
          ports.notifications.list(query, window),
          TE.map((listing) => ({ ...listing, batches: hold(listing.batches) })),
        ),
    },
  })
  const arm = () => {
    armed = true
  }
  return { arm, reached: reached.promise, open: () => opened.resolve(), wrap }
}

for (const store of STORES)
  t.test(
    `C12: all ${MANY} notifications come from one snapshot while writes continue (${store})`,
    async (t) => {
      const hold = makeHold()
      const fixture = await startFixture(t.testdir(), { store, wrap: hold.wrap })
      t.teardown(fixture.stop)
      await fill(fixture)
      const before = await listed(fixture)
      t.equal(before.length, MANY)
      t.equal(new Set(before.map(({ id }) => id)).size, MANY)
      hold.arm()
      const reading = listed(fixture)
      await hold.reached
      for (const rank of [0, 700, MANY - 1])
        await fixture.call('DELETE', `/notification/${before[rank]?.id}`, { as: 'manager' })
      for (const date of ['253402300799', '']) await notify(fixture, { date })
      hold.open()
      t.strictSame(await reading, before, 'the notifications when the request began')
      t.equal((await listed(fixture)).length, MANY - 1)
      const french = await listed(fixture, '/notification', { lang: 'fr', lim: '9999' })
      t.strictSame(
        french,
        (await listed(fixture)).filter(({ lang }) => lang === 'fr'),
      )
    },
  )

t.test(
  'I1: if items cannot be read while notifications are listed, the response is 503 and the error is logged',
  async (t) => {
    let fails = false
    const wrap = (ports: Ports): Ports => ({
      ...ports,
      libraryItems: {
        ...ports.libraryItems,
        findAll: (ids) => (fails ? TE.left(unavailable(new Error(INSIDE))) : ports.libraryItems.findAll(ids)),
      },
    })
    const fixture = await startFixture(t.testdir(), { wrap })
    t.teardown(fixture.stop)
    const { itemId } = await createLive(fixture, 'library')
    const { id } = await notify(fixture, { resource_id: itemId })
    fails = true
    for (const path of ['/notification', `/notification/${id}`, '/notification?lim=1']) {
      const answer = await fixture.call('GET', path, { as: 'manager' })
      await seeProblem(t, answer, 'unavailable', path)
      t.equal((await lineAbout(fixture.lines, answer)).level, 50)
    }
    fails = false
    t.equal((await listed(fixture)).length, 1)
  },
)

t.test('F4, G7: devices, preferences, notifications and deliveries survive a restart', async (t) => {
  const folder = t.testdir()
  const first = await startFixture(folder)
  await attach(first, AMINA, 'fcm:a')
  await attach(first, AMINA, 'of no known kind')
  await first.call('PUT', preferencePath(AMINA), { as: 'donor', json: { lang: 'fr' } })
  const { id } = await notify(first, { lang: 'fr', date: 0 })
  await notify(first, { date: 1_893_456_000 })
  await review(first)
  const seen = async (fixture: Fixture) => [
    await tokensOf(fixture, AMINA),
    await preferenceOf(fixture, AMINA),
    await listed(fixture),
    await deliveryOf(fixture, id),
  ]
  const before = await seen(first)
  t.match(before[3], { state: 'partial', recipients: 2, delivered: 1, failed: 1 })
  await first.stop()
  const second = await startFixture(folder, { after: first })
  t.teardown(second.stop)
  t.strictSame(await seen(second), before)
})
