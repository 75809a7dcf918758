import { compareCursors } from '@almoner/domain/content'
import { type InboxCursor, type InboxEntry, inboxCursor } from '@almoner/domain/delivery'
import type { PreferenceChange } from '@almoner/domain/people'
import { collect, type Email, type NotificationId, WHOLE_COLLECTION } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { sampleUser } from '../people/topics.ts'
import { type ContractRunner, onEach, seeded } from '../runner.ts'
import { done, sampleDevice, sampleEmail, sampleMoment, sampleNotificationId } from '../samples.ts'
import { emailsOf, ended, makeDeliveryFixture } from './fixture.ts'
import {
  entriesOf,
  type Given,
  HEALTH,
  type InboxFixture,
  type InboxUnderTest,
  idsOf,
  keeping,
  prefer,
  queryOf,
  seeing,
  startOne,
  TOPICS,
  WATER,
} from './inbox-marks.ts'

export type { InboxUnderTest } from './inbox-marks.ts'

const pages = (given: Given): void => {
  given('F7, C11: entries come by start, latest first, and pages walk through all', async (check, setup) => {
    await prefer(setup, 1, {})
    for (const n of [4, 1, 3]) await setup.notification(n)
    await setup.start(sampleMoment(60))
    for (const n of [5, 2]) await startOne(setup, n, { at: sampleMoment(n) })
    const all = await entriesOf(setup, 1)
    check.same(
      all.map(({ notification: { id }, startedAt }) => [id, startedAt]),
      [
        ...[4, 3, 1].map((n) => [sampleNotificationId(n), sampleMoment(60)]),
        ...[5, 2].map((n) => [sampleNotificationId(n), sampleMoment(n)]),
      ],
    )
    const { inbox } = setup
    const page = (lim: number, offset: number, after: O.Option<InboxCursor> = O.none) =>
      done(inbox.list(queryOf(1), { lim: O.some(lim), offset, after }))
    const walk = async (
      lim: number,
      after: O.Option<InboxCursor> = O.none,
    ): Promise<ReadonlyArray<InboxEntry>> => {
      const { next, ...found } = await page(lim, 0, after)
      const items = await collect({ ...found, next })
      if (O.isNone(next)) return items
      check.same([items.length, items.slice(-1).map(inboxCursor)], [lim, [next.value]], 'a full page')
      return [...items, ...(await walk(lim, next))]
    }
    for (const lim of [1, 2, 3, 5, 600]) check.same(await walk(lim), all, `pages of ${lim}`)
    check.same(await collect(await page(2, 3)), all.slice(3), 'an offset')
    check.same(await collect(await page(2, 9)), [])
  })

  given('F7, J5: the total counts all entries of the inbox', async (check, setup) => {
    await prefer(setup, 1, {})
    for (const n of [1, 2, 3]) await startOne(setup, n)
    await startOne(setup, 4, { lang: 'fr' })
    const count = async (lim: O.Option<number>, offset = 0) =>
      (await done(setup.inbox.list(queryOf(1), { lim, offset, after: O.none }, true))).total
    check.same([await count(O.some(1)), await count(O.some(2), 7), await count(O.none)], [3, 3, 3])
    check.same((await done(setup.inbox.list(queryOf(2), WHOLE_COLLECTION, true))).total, 0)
  })

  given('F7: an entry has all fields of its notification, as GET gives it', async (check, setup) => {
    await prefer(setup, 1, { lang: 'fr' })
    const id = await startOne(setup, 1, { lang: 'fr', at: sampleMoment(7) })
    const found = await done(setup.notifications.find(id))
    const notification = O.isSome(found) ? found.value.notification : undefined
    check.same(await entriesOf(setup, 1), [{ notification, startedAt: sampleMoment(7), seenAt: O.none }])
  })
}

const meaning = (given: Given): void => {
  given('F7: only notifications that were started, are not deleted and not too old', async (check, setup) => {
    await prefer(setup, 1, {})
    const old = await startOne(setup, 1, { at: sampleMoment(10) })
    const deleted = await startOne(setup, 2)
    await setup.notification(3, { date: O.some(sampleMoment(9000)) })
    await setup.notification(4, { date: O.none })
    const id = await startOne(setup, 5, { at: sampleMoment(20) })
    await done(setup.notifications.remove(deleted))
    check.same(await idsOf(setup, 1), [id, old])
    check.same(await idsOf(setup, 1, sampleMoment(9)), [id, old])
    check.same(await idsOf(setup, 1, sampleMoment(10)), [id], 'those at the moment are too old')
    check.same(await idsOf(setup, 1, sampleMoment(20)), [])
  })

  given('F7: language and topics decide as of the start', async (check, setup) => {
    await done(setup.labels.replaceAll([WATER, HEALTH]))
    const people: ReadonlyArray<PreferenceChange> = [
      {},
      { lang: 'fr' },
      { topics: [WATER.labelId] },
      { topics: TOPICS },
      { topics: [HEALTH.labelId], lang: 'fr' },
    ]
    for (const [n, change] of people.entries()) await prefer(setup, n, change)
    const plain = await startOne(setup, 1)
    const french = await startOne(setup, 2, { lang: 'fr', topic: HEALTH.labelId })
    const water = await startOne(setup, 3, { topic: WATER.labelId })
    const health = await startOne(setup, 4, { topic: HEALTH.labelId })
    const expected = [[health, water, plain], [french], [water, plain], [health, water, plain], [french]]
    for (const n of people.keys())
      check.same((await idsOf(setup, n)).toSorted(), expected[n]?.toSorted(), `${n}`)
    for (const n of people.keys())
      await prefer(setup, n, n % 2 === 0 ? { lang: 'fr', topics: [] } : { lang: 'en', topics: TOPICS })
    for (const n of people.keys())
      check.same((await idsOf(setup, n)).toSorted(), expected[n]?.toSorted(), `${n}, later`)
  })

  given('F7: what was preferred under no start leaves no trace', async (check, setup) => {
    await prefer(setup, 1, {})
    const first = await startOne(setup, 1)
    for (const lang of ['fr', 'en', 'fr', 'en'] as const) await prefer(setup, 1, { lang })
    const second = await startOne(setup, 2, { at: sampleMoment(1) })
    await prefer(setup, 1, { lang: 'fr' })
    const third = await startOne(setup, 3, { lang: 'fr', at: sampleMoment(2) })
    await startOne(setup, 4, { at: sampleMoment(3) })
    await prefer(setup, 1, { lang: 'en' })
    check.same(await idsOf(setup, 1), [third, second, first])
    await prefer(setup, 2, {})
    await prefer(setup, 2, { lang: 'fr' })
    await startOne(setup, 5)
    check.same(await idsOf(setup, 2), [], 'in the epoch in which the person came to be known')
  })

  given('F7, F6: a label that a load removes leaves what was started for it', async (check, setup) => {
    await done(setup.labels.replaceAll([WATER, HEALTH]))
    await prefer(setup, 1, { topics: [WATER.labelId] })
    await prefer(setup, 2, { topics: [HEALTH.labelId] })
    const water = await startOne(setup, 1, { topic: WATER.labelId })
    await done(setup.labels.replaceAll([HEALTH]))
    const health = await startOne(setup, 2, { topic: HEALTH.labelId, at: sampleMoment(1) })
    check.same(await idsOf(setup, 1), [health, water], 'follows everything now')
    check.same(await idsOf(setup, 2), [health])
    await done(setup.labels.replaceAll([WATER, HEALTH]))
    check.same(await idsOf(setup, 1), [health, water], 'the label is back')
  })

  given('F7, F2: an import changes preferences and makes people known', async (check, setup) => {
    await prefer(setup, 1, {})
    const first = await startOne(setup, 1)
    await done(
      setup.users.putAll([
        sampleUser(1, { lang: 'fr' }),
        sampleUser(2, { lang: 'en' }),
        sampleUser(3, { lang: 'fr' }),
      ]),
    )
    check.same(await idsOf(setup, 1), [first])
    const second = await startOne(setup, 2, { at: sampleMoment(1) })
    const french = await startOne(setup, 3, { lang: 'fr', at: sampleMoment(2) })
    check.same(await idsOf(setup, 1), [french, first])
    check.same([await idsOf(setup, 2), await idsOf(setup, 3)], [[second], [french]])
  })

  given(
    'F7: people have an inbox since they are known, subscribed and with a device or not',
    async (check, setup) => {
      const early = await startOne(setup, 1)
      await prefer(setup, 1, { subscribed: false })
      await done(setup.devices.attach(sampleDevice(2)))
      check.same([await idsOf(setup, 1), await idsOf(setup, 2), await idsOf(setup, 3)], [[], [], []])
      const id = await startOne(setup, 2, { at: sampleMoment(1) })
      check.same([await idsOf(setup, 1), await idsOf(setup, 2), await idsOf(setup, 3)], [[id], [id], []])
      await done(setup.devices.detach(sampleEmail(2), sampleDevice(2)))
      await prefer(setup, 2, { subscribed: false })
      await prefer(setup, 1, { subscribed: true })
      check.same([await idsOf(setup, 1), await idsOf(setup, 2)], [[id], [id]])
      check.same((await idsOf(setup, 1)).includes(early), false)
    },
  )
}

/** Reads whom each notification went to, and ends it. */
const recipientsOf = async (
  setup: InboxFixture,
): Promise<ReadonlyMap<NotificationId, ReadonlyArray<Email>>> => {
  const found = new Map<NotificationId, ReadonlyArray<Email>>()
  for (;;) {
    const batch = await setup.claim()
    if (O.isNone(batch)) return found
    const { claim } = batch.value
    found.set(
      claim.notificationId,
      [...(found.get(claim.notificationId) ?? []), ...emailsOf(batch.value)].sort(),
    )
    await setup.recordAll(batch.value, ended('delivered'))
  }
}

const PEOPLE = 6

const inboxesOf = async (setup: InboxFixture): Promise<ReadonlyMap<NotificationId, ReadonlyArray<Email>>> => {
  const found = new Map<NotificationId, ReadonlyArray<Email>>()
  for (let n = 0; n < PEOPLE; n += 1)
    for (const id of await idsOf(setup, n)) found.set(id, [...(found.get(id) ?? []), sampleEmail(n)])
  return found
}

const agreeing = (given: Given): void => {
  given(
    'F7, G4: subscribed people with a device find what went to it, whatever they prefer next',
    async (check, setup) => {
      await done(setup.labels.replaceAll([WATER, HEALTH]))
      await setup.readers(0, PEOPLE)
      const random = seeded(7)
      const change = (): PreferenceChange => ({
        ...(random(2) === 0 ? { lang: random(2) === 0 ? 'en' : 'fr' } : {}),
        ...(random(2) === 0 ? { topics: TOPICS.filter(() => random(2) === 0) } : {}),
      })
      const sent = new Map<NotificationId, ReadonlyArray<Email>>()
      for (let n = 1; n <= 24; n += 1) {
        for (let i = random(4); i > 0; i -= 1) await prefer(setup, random(PEOPLE), change())
        const topic = TOPICS[random(3)]
        await setup.notification(n, { lang: random(2) === 0 ? 'en' : 'fr', labelId: O.fromNullable(topic) })
        // Some changes race with the start.
        await Promise.all([
          prefer(setup, random(PEOPLE), change()),
          setup.start(sampleMoment(n)),
          prefer(setup, random(PEOPLE), change()),
        ])
        for (const [id, emails] of await recipientsOf(setup)) sent.set(id, emails)
      }
      const byId = (found: ReadonlyMap<NotificationId, ReadonlyArray<Email>>) =>
        [...found].sort(([a], [b]) => (a < b ? -1 : 1))
      check.same(byId(await inboxesOf(setup)), byId(sent))
      const [first = []] = [await entriesOf(setup, 0)]
      check.same(
        first,
        first.toSorted((a, b) => compareCursors(inboxCursor(a), inboxCursor(b))),
      )
    },
  )
}

/** What every `Inbox` must do, with the other stores of the same data (F7). */
export const inboxContract = (runner: ContractRunner, make: () => Promise<InboxUnderTest>): void => {
  const given: Given = onEach(runner, make, (store) => ({ ...store, ...makeDeliveryFixture(store) }))
  pages(given)
  meaning(given)
  seeing(given)
  keeping(given)
  agreeing(given)
}
