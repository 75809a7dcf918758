import { type FeedItem, type Label, type LibraryItem, STATUSES } from '@almoner/domain/content'
import { linked } from '@almoner/domain/media'
import { NO_OUTCOMES, OUTCOMES, type Outcome } from '@almoner/domain/notifications'
import { countDesk, countPublished, lastMonths, NOTHING_SENT, type Survey } from '@almoner/domain/operations'
import type { DeviceId, User } from '@almoner/domain/people'
import type { Node, Ports } from '@almoner/domain/ports'
import {
  addMillis,
  collect,
  type Instant,
  type ItemTitle,
  type LabelId,
  type LabelName,
  type LocalDate,
  type TimeZone,
  type WebUrl,
  WHOLE_COLLECTION,
} from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import {
  type DeliveriesFixture,
  type DeliveriesUnderTest,
  dead,
  ended,
  makeDeliveryFixture,
} from './delivery/fixture.ts'
import { CREATED } from './history/fixture.ts'
import { type Check, type ContractRunner, onEach, seeded, type UnderTest } from './runner.ts'
import {
  done,
  SAMPLE_MOMENT,
  sampleDevice,
  sampleEmail,
  sampleFeedItem,
  sampleLibraryItem,
  sampleMoment,
} from './samples.ts'

/** A store for one test. */
export type NodesUnderTest = UnderTest<'nodes'>

const node = (id: string, name: string, over: Partial<Node> = {}): Node => ({
  id,
  name,
  lastSeenAt: SAMPLE_MOMENT,
  settings: { ALMONER_TIME_ZONE: 'UTC', ALMONER_COLOR: '#1F4E79 "é"' },
  ...over,
})

/** Contract tests of `Nodes`. */
export const nodesContract = (runner: ContractRunner, make: () => Promise<NodesUnderTest>): void => {
  const given = onEach(runner, make, ({ nodes }) => nodes)

  given(
    'nodes: the last heartbeat of each node is returned, in the order of their names',
    async (check, nodes) => {
      const [one, two] = [node('b', 'web-2:3000'), node('a', 'web-1:3000')]
      for (const each of [one, two]) await done(nodes.beat(each, SAMPLE_MOMENT))
      check.same(await done(nodes.since(SAMPLE_MOMENT)), [two, one])
      const again = node('b', 'web-0:3000', { lastSeenAt: sampleMoment(60), settings: {} })
      await done(nodes.beat(again, SAMPLE_MOMENT))
      check.same(await done(nodes.since(SAMPLE_MOMENT)), [again, two])
      check.same(await done(nodes.since(sampleMoment(60))), [again])
      check.same(await done(nodes.since(sampleMoment(61))), [])
    },
  )

  given(
    'nodes: a node that deregisters, or sends no heartbeat for long, is deleted',
    async (check, nodes) => {
      for (const id of ['a', 'b']) await done(nodes.beat(node(id, id), SAMPLE_MOMENT))
      await done(nodes.deregister('a'))
      await done(nodes.deregister('nobody'))
      check.same(await done(nodes.since(SAMPLE_MOMENT)), [node('b', 'b')])
      await done(nodes.beat(node('c', 'c'), SAMPLE_MOMENT))
      check.same(
        (await done(nodes.since(SAMPLE_MOMENT))).length,
        2,
        'a node whose last heartbeat was at that moment stays',
      )
      const late = node('d', 'd', { lastSeenAt: sampleMoment(9) })
      await done(nodes.beat(late, addMillis(SAMPLE_MOMENT, 1)))
      check.same(await done(nodes.since(SAMPLE_MOMENT)), [late])
    },
  )
}

/** A store for one test, with its own data. */
export type StatisticsUnderTest = DeliveriesUnderTest &
  Pick<Ports, 'statistics' | 'retention' | 'libraryItems' | 'feedItems' | 'translations'>

const DAY = 86_400

/** Returns the beginnings of this number of days; {@link SAMPLE_MOMENT} is in the first. */
const days = (count: number): ReadonlyArray<Instant> =>
  Array.from({ length: count }, (_, n) => sampleMoment((n - 0.5) * DAY))

/** Counts as texts, sorted. */
const sorted = (counts: ReadonlyArray<object>): ReadonlyArray<string> =>
  counts.map((count) => Object.values(count).join(' ')).sort()

const result = (outcome: Outcome) => (outcome === 'dead' ? dead(SAMPLE_MOMENT) : ended(outcome))

/** Records results of the next devices, after this number of seconds. */
const serve = async (
  setup: DeliveriesFixture,
  seconds: number,
  ...outcomes: ReadonlyArray<Outcome>
): Promise<void> => {
  const now = sampleMoment(seconds)
  const { claim, recipients } = await setup.claimed({ now, most: outcomes.length })
  const results = outcomes.map((outcome, n) => result(outcome)(recipients[n]?.deviceId as DeviceId))
  await done(setup.record(claim, results, { now, last: true }))
}

/** Contract tests of `Statistics`, together with the other ports of the same store. */
export const statisticsContract = (
  runner: ContractRunner,
  make: () => Promise<StatisticsUnderTest>,
): void => {
  const given = (
    name: string,
    body: (check: Check, store: StatisticsUnderTest, setup: DeliveriesFixture) => Promise<void>,
  ) => onEach(runner, make)(name, (check, store) => body(check, store, makeDeliveryFixture(store)))
  const survey = ({ statistics }: StatisticsUnderTest, count = 3): Promise<Survey> =>
    done(statistics.survey(days(count)))

  given('stats: items are counted by content type, status and language', async (check, store) => {
    check.same(await survey(store), {
      items: [],
      devices: [],
      deliveries: [NO_OUTCOMES, NO_OUTCOMES, NO_OUTCOMES],
    })
    for (const n of [1, 2, 3])
      await done(
        store.libraryItems.add({
          item: sampleLibraryItem(n, { lang: n < 3 ? 'fr' : 'en' }),
          linksToImages: [],
        }),
      )
    await done(store.feedItems.add({ item: sampleFeedItem(1, { lang: 'en' }), linksToImages: [] }))
    await done(
      store.libraryItems.change(sampleLibraryItem(1).id, (item) =>
        E.right({
          item: { ...item, status: 'Archived' },
          storesImages: [],
          displaysImages: [],
          linksToImages: [],
        }),
      ),
    )
    const { items } = await survey(store)
    check.same(sorted(items), [
      'feed Draft en 1',
      'library Archived fr 1',
      'library Draft en 1',
      'library Draft fr 1',
    ])
  })

  given('stats: devices are counted by kind', async (check, store) => {
    for (const n of [1, 2, 3])
      await done(store.devices.attach(sampleDevice(n, { kind: n === 3 ? 'unroutable' : 'apns' })))
    check.same(sorted((await survey(store)).devices), ['apns 2', 'unroutable 1'])
  })

  given('stats: outcomes are counted by the day on which they were recorded', async (check, store, setup) => {
    await setup.readers(0, 6)
    const id = await setup.notification(1)
    await setup.start()
    await serve(setup, 0, 'delivered', 'skipped')
    await serve(setup, DAY, 'delivered', 'failed', 'dead')
    const first = { ...NO_OUTCOMES, delivered: 1, skipped: 1 }
    const second = { ...NO_OUTCOMES, delivered: 1, failed: 1, dead: 1 }
    const unfinished = await survey(store)
    check.same(unfinished.deliveries, [first, second, NO_OUTCOMES])
    await serve(setup, 2 * DAY, 'failed')
    await setup.notification(2, { date: O.some(sampleMoment(2 * DAY)) })
    await setup.start(sampleMoment(2 * DAY))
    await serve(setup, 2 * DAY + 1, 'delivered', 'delivered', 'delivered', 'delivered', 'delivered')
    const third = { ...NO_OUTCOMES, delivered: 5, failed: 1 }
    check.same((await survey(store)).deliveries, [first, second, third])
    const later = { days: days(3).slice(1), deliveries: [second, third] }
    check.same((await done(store.statistics.survey(later.days))).deliveries, later.deliveries)
    check.same((await done(store.statistics.survey([]))).deliveries, [])
    await done(setup.notifications.remove(id))
    check.same((await survey(store)).deliveries, [NO_OUTCOMES, NO_OUTCOMES, { ...NO_OUTCOMES, delivered: 5 }])
    check.ok(OUTCOMES.every((outcome) => Number.isInteger(third[outcome])))
  })

  given('J7, stats: what waits for content managers is counted by its rule', async (check, store) => {
    const random = seeded(12)
    check.same(
      await done(store.statistics.desk()),
      countDesk([], [], () => O.none),
    )
    const pick = <A>(...options: ReadonlyArray<A>): A => options[random(options.length)] as A
    const published = (n: number) => {
      const at = sampleMoment(random(3))
      return { createdAt: sampleMoment(n % 7), updatedAt: at, status: pick('Live', ...STATUSES) }
    }
    const image = O.some(linked('https://example.org/image.png' as WebUrl))
    const images = { cover: image, notification: image }
    const unchanged = { storesImages: [], displaysImages: [], linksToImages: [] }
    for (let n = 1; n <= 40; n += 1) {
      const item = sampleLibraryItem(n, { lang: n % 2 === 0 ? 'en' : 'fr' })
      await done(store.libraryItems.add({ item, linksToImages: [], act: CREATED }))
      const changed = { ...item, ...published(n), images } as LibraryItem
      await done(store.libraryItems.change<never>(item.id, () => E.right({ item: changed, ...unchanged })))
      if (n % 2 === 0 && random(4) > 0)
        await done(store.translations.link(item.id, sampleLibraryItem(n - 1).id))
      const worded = { ...changed, title: pick('Pump', 'Well') as ItemTitle }
      await done(store.libraryItems.change<never>(item.id, () => E.right({ item: worded, ...unchanged })))
      const post = sampleFeedItem(n, { createdAt: sampleMoment(100 - n) })
      await done(store.feedItems.add({ item: post, linksToImages: [] }))
      const state = { ...post, status: pick(...STATUSES) } as FeedItem
      await done(store.feedItems.change<never>(post.id, () => E.right({ item: state, ...unchanged })))
    }
    const all = { visibility: { kind: 'everything' }, lang: O.none } as const
    const items = await collect(await done(store.libraryItems.list(all, WHOLE_COLLECTION)))
    const posts = await collect(await done(store.feedItems.list({ ...all, kind: O.none }, WHOLE_COLLECTION)))
    const counterparts = await done(store.translations.ofItems(items.map(({ id }) => id)))
    const expected = countDesk(posts, items, ({ id }) => O.fromNullable(counterparts.get(id)))
    check.ok(expected.lacking.en !== expected.lacking.fr)
    check.ok(expected.waiting > 5 && expected.lacking.en > 1 && expected.lacking.fr > 1 && expected.older > 0)
    check.same(await done(store.statistics.desk()), expected)
  })

  given('B8, stats: Live items are counted by month and language', async (check, store) => {
    const months = lastMonths(SAMPLE_MOMENT, 'Africa/Nairobi' as TimeZone, 3)
    const { published } = store.statistics
    check.same(await done(published(months)), countPublished({ library: [], feed: [] }, months))
    check.same(await done(published([])), [])
    const unchanged = { storesImages: [], displaysImages: [], linksToImages: [] }
    const image = O.some(linked('https://example.org/image.png' as WebUrl))
    const images = { cover: image, notification: image }
    const all: { readonly library: Array<LibraryItem>; readonly feed: Array<FeedItem> } = {
      library: [],
      feed: [],
    }
    const statusOf = (n: number) => (n % 5 === 0 ? 'Archived' : 'Live')
    const days = months.flatMap(({ first, begins }, at) => [
      { publicationDate: first, createdAt: begins },
      { publicationDate: first.replace(/..$/, '28') as LocalDate, createdAt: addMillis(begins, at - 2) },
    ])
    const dates = [...days, ...days, ...days.slice(0, 2)]
    for (const [n, { publicationDate, createdAt }] of dates.entries()) {
      const own = { lang: n % 3 === 0 ? 'fr' : 'en', status: statusOf(n) } as const
      const item = sampleLibraryItem(n, { publicationDate })
      await done(store.libraryItems.add({ item, linksToImages: [] }))
      const changed = { ...item, ...own, images } as LibraryItem
      await done(store.libraryItems.change<never>(item.id, () => E.right({ item: changed, ...unchanged })))
      all.library.push(changed)
      const post = sampleFeedItem(n, { createdAt })
      await done(store.feedItems.add({ item: post, linksToImages: [] }))
      const state = { ...post, ...own } as FeedItem
      await done(store.feedItems.change<never>(post.id, () => E.right({ item: state, ...unchanged })))
      all.feed.push(state)
    }
    const counts = countPublished(all, months)
    check.ok(counts.length === 3 && counts.every(({ library, feed }) => library.en > 0 && feed.en > 0))
    check.same(new Set(counts.map((count) => JSON.stringify(count))).size, 3, 'the months differ')
    check.same(await done(published(months)), counts)
  })

  given(
    'G7, stats: notifications are counted by the month of their start and by language, with outcomes',
    async (check, store, setup) => {
      const months = lastMonths(sampleMoment(40 * DAY), 'UTC' as TimeZone, 2)
      const reach = () => done(store.statistics.reach(months))
      const nothing = { en: NOTHING_SENT, fr: NOTHING_SENT }
      check.same(await reach(), { sent: [nothing, nothing], devices: [], people: [], topics: [] })
      check.same((await done(store.statistics.reach([]))).sent, [])
      await setup.readers(0, 3)
      const id = await setup.notification(1)
      await setup.start()
      await serve(setup, 0, 'delivered', 'failed')
      const first = { ...NOTHING_SENT, notifications: 1, recipients: 3, delivered: 1, failed: 1 }
      check.same((await reach()).sent, [{ en: first, fr: NOTHING_SENT }, nothing])
      await serve(setup, 1, 'dead')
      const late = sampleMoment(35 * DAY)
      for (const n of [2, 3]) await setup.notification(n, { date: O.some(late), lang: 'fr' })
      await setup.start(late)
      const second = { ...NOTHING_SENT, notifications: 2 }
      const { sent, devices } = await reach()
      check.same(sent, [
        { en: { ...first, dead: 1 }, fr: NOTHING_SENT },
        { en: NOTHING_SENT, fr: second },
      ])
      check.same(devices, [{ kind: 'fcm', count: 2 }])
      while ((await done(store.retention.purgeDeliveries(sampleMoment(DAY)))) > 0);
      check.same((await reach()).sent[0]?.en, { ...first, dead: 1 }, 'G8: totals stay')
      await done(setup.notifications.remove(id))
      check.same((await reach()).sent[0], nothing)
    },
  )

  given('F6, stats: people are counted by language, and by label', async (check, store) => {
    const [water, school] = ['water', 'school'].map((labelId) => ({
      ...{ labelId: labelId as LabelId, en: labelId as LabelName, fr: labelId as LabelName },
    })) as [Label, Label]
    await done(store.labels.replaceAll([water, school]))
    const person = (n: number, over: Partial<User>): User => ({
      ...{ email: sampleEmail(n), lang: 'en', subscribed: true, topics: [] },
      ...over,
    })
    await done(
      store.users.putAll([
        person(1, {}),
        person(2, { topics: [water.labelId] }),
        person(3, { topics: [water.labelId, school.labelId] }),
        person(4, { lang: 'fr', topics: [school.labelId] }),
        person(5, { lang: 'fr', subscribed: false, topics: [school.labelId] }),
        person(6, { lang: 'fr', subscribed: false }),
      ]),
    )
    const { people, topics } = await done(store.statistics.reach([]))
    check.same(sorted(people), ['en true 3', 'fr false 2', 'fr true 1'])
    const named = topics.map(({ labelId, ...rest }) => ({
      labelId: O.toUndefined(labelId) ?? 'all',
      ...rest,
    }))
    check.same(sorted(named), ['all en 1', 'school en 1', 'school fr 1', 'water en 2'])
  })

  given(
    'G8, stats: a notification without per-device rows counts on the day of its end',
    async (check, store, setup) => {
      await setup.readers(0, 3)
      await setup.notification(1)
      await setup.start()
      await serve(setup, 0, 'delivered')
      await serve(setup, DAY, 'delivered', 'failed')
      const [none, both] = [NO_OUTCOMES, { ...NO_OUTCOMES, delivered: 1, failed: 1 }]
      check.same((await survey(store)).deliveries, [{ ...none, delivered: 1 }, both, none])
      while ((await done(store.retention.purgeDeliveries(sampleMoment(DAY)))) > 0);
      check.same((await survey(store)).deliveries, [none, { ...none, delivered: 2, failed: 1 }, none])
    },
  )
}
