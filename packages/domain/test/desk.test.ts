import { done, failure, sampleFeedItem, sampleNotification } from '@almoner/testkit/contracts'
import { memoryPorts, setClock } from '@almoner/testkit/memory'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { ended, makeDeliveryFixture } from '../../testkit/src/contracts/delivery/fixture.ts'
import { read } from './fixtures/decoding.ts'
import * as domain from './fixtures/domain.ts'
import { donor, LIBRARY, libraryLive, libraryUpdate, manager, newFixture } from './fixtures/fixture.ts'

const HOUR = 3_600_000

/** Nine in the evening of 1 May in UTC, and so already 2 May in Nairobi. */
const NOW = Date.UTC(2026, 4, 1, 21, 30)

const start = async () => {
  const clock = setClock(NOW)
  const ports = memoryPorts({ clock })
  const policy = { ...domain.DEFAULT_POLICY, timeZone: 'Africa/Nairobi' as domain.TimeZone }
  return { ports, clock, console: domain.createAlmoner(ports, policy).console }
}

const at = (hours: number) => domain.instant(NOW + hours * HOUR)

const idsOf = (states: ReadonlyArray<domain.NotificationState>) =>
  states.map(({ notification, state }) => [notification.id, state])

t.test('M7: the desk shows the notifications of today in the time zone, the first one first', async (t) => {
  const { ports, console } = await start()
  for (const [n, hours] of [
    [1, -1],
    [2, 2],
    [3, 23],
    [4, 24],
  ] as const)
    await done(ports.notifications.add(sampleNotification(n, { date: O.some(at(hours)) })))
  const { today } = await done(console.showDesk(manager, {}))
  t.strictSame(idsOf(today), [
    [sampleNotification(2).id, 'scheduled'],
    [sampleNotification(3).id, 'scheduled'],
  ])
})

t.test('C15, M7: the desk and the findings have schedules that failed', async (t) => {
  const { ports, console } = await start()
  const operations = domain.createAlmoner(ports).operations
  const item = sampleFeedItem(1, { archiveAt: O.some(at(-1)) })
  await done(ports.feedItems.add({ item, linksToImages: [] }))
  t.strictSame((await done(console.showDesk(manager, {}))).schedules, [])
  await done(domain.createAlmoner(ports).maintenance.runSchedules())
  const { schedules } = await done(console.showDesk(manager, {}))
  t.match(schedules, [{ contentType: 'feed', itemId: item.id, part: 'archiveAt', missing: ['status'] }])
  const operator = domain.callerOf({
    clientId: 'ops' as domain.ClientId,
    ...domain.DUTIES.operator,
    email: O.none,
  })
  const found = await done(operations.findings(operator, {}))
  t.match(
    found.filter(({ check }) => check === 'schedules'),
    [
      {
        code: 'schedules-failed',
        values: { count: '1', contentType: 'feed', itemId: item.id, missing: 'status' },
      },
    ],
  )
})

t.test('C16: the desk shows open proposals, those that failed at their moment first', async (t) => {
  const fixture = newFixture()
  const { ports, clock } = fixture
  const almoner = domain.createAlmoner(ports)
  const desk = async () => (await done(almoner.console.showDesk(manager, {}))).proposals
  t.strictSame(await desk(), { count: 0, first: [] })
  const ids: Array<string> = []
  for (let n = 0; n < 21; n += 1) {
    const { id: itemId } = await libraryLive(fixture)
    const publishAt = n === 20 ? String(Math.floor(clock.now() / 1000) + 1) : ''
    const fields = JSON.stringify({ ...LIBRARY, itemTitle: `Wells ${n}` })
    const sent = read(domain.ProposeChange, { contentType: 'library', itemId, fields, publishAt })
    ids.push((await done(almoner.proposals.propose(manager, sent, O.none))).id)
    if (n === 20)
      await done(fixture.act.updateLibraryItem(manager, libraryUpdate(itemId, { status: 'Live' }), O.none))
    clock.advance(10)
  }
  clock.advance(2000)
  await done(almoner.maintenance.runProposals())
  const { count, first } = await desk()
  t.equal(count, 21)
  t.strictSame(
    first.map(({ proposal }) => proposal.id),
    [ids[20], ...ids.slice(0, 19)],
  )
  t.match(first.slice(0, 2), [
    { proposal: { failure: O.some({ missing: ['revision'] }) }, isCurrent: false, isOwn: true },
    { isCurrent: true },
  ])
})

t.test('M7, G7: the desk shows what failed within seven days, the latest first', async (t) => {
  const { ports, console } = await start()
  const setup = makeDeliveryFixture(ports)
  await setup.readers(0, 2)
  for (const [n, hours, outcomes] of [
    [1, -170, ['failed', 'failed']],
    [2, -160, ['failed', 'failed']],
    [3, -2, ['delivered', 'failed']],
    [4, -1, ['delivered', 'delivered']],
  ] as const) {
    await setup.notification(n, { date: O.some(at(hours)) })
    await setup.start(at(hours))
    const { claim, recipients } = await setup.claimed({ now: at(hours) })
    const results = recipients.map(({ deviceId }, one) => ended(outcomes[one] ?? 'skipped')(deviceId))
    await done(setup.record(claim, results, { now: at(hours), last: true }))
  }
  const { failed } = await done(console.showDesk(manager, {}))
  t.strictSame(idsOf(failed), [
    [sampleNotification(3).id, 'partial'],
    [sampleNotification(2).id, 'failed'],
  ])
})

t.test('M7: the desk counts posts that wait; it is for content managers', async (t) => {
  const { ports, console } = await start()
  for (const n of [1, 2]) await done(ports.feedItems.add({ item: sampleFeedItem(n), linksToImages: [] }))
  t.match(await done(console.showDesk(manager, {})), {
    waiting: 2,
    oldestWaiting: O.some(sampleFeedItem(1).createdAt),
    lacking: { en: 0, fr: 0 },
    older: 0,
  })
  t.equal(await failure(console.showDesk(donor, {})), 'InsufficientScope')
})

t.test('B8: what was published is counted by months of the time zone, at most once a minute', async (t) => {
  const { ports, clock, console } = await start()
  const add = async (n: number, moment: number) => {
    const item = sampleFeedItem(n, { createdAt: domain.instant(moment) })
    await done(ports.feedItems.add({ item, linksToImages: [] }))
    const live = { ...item, status: 'Live' } as domain.FeedItem
    const change = { item: live, storesImages: [], displaysImages: [], linksToImages: [] }
    await done(ports.feedItems.change<never>(item.id, () => E.right(change)))
  }
  const posts = async () => {
    const months = await done(console.showPublished(manager, {}))
    t.equal(months.length, 12)
    return months.slice(-2).map(({ first, feed }) => [first, feed.en + feed.fr])
  }
  const may = Date.UTC(2026, 3, 30, 21)
  for (const [n, moment] of [
    [1, may - 1],
    [2, may],
    [3, NOW],
  ] as const)
    await add(n, moment)
  const counted = [
    ['2026-04-01', 1],
    ['2026-05-01', 2],
  ]
  t.strictSame(await posts(), counted)
  await add(4, NOW)
  t.strictSame(await posts(), counted, 'the count of the same minute')
  clock.advance(domain.MINUTE)
  t.strictSame((await posts()).at(-1), ['2026-05-01', 3])
  t.equal(await failure(console.showPublished(donor, {})), 'InsufficientScope')
})
