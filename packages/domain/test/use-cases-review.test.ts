import { done, SAMPLE_MOMENT, sampleDevice, sampleNotification } from '@almoner/testkit/contracts'
import { memoryPushGateway } from '@almoner/testkit/memory'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import { read } from './fixtures/decoding.ts'
import * as domain from './fixtures/domain.ts'
import { type Fixture, manager, newFixture } from './fixtures/fixture.ts'

const OUTAGE = domain.unavailable('out of order')

const reviewOf = ({ ports }: Fixture, window = 10) =>
  domain.makeReview(ports, domain.DEFAULT_POLICY)({ window })

/** Creates this number of readers, and a due notification. */
const begun = async (readers: number, wrap: (ports: domain.Ports) => Partial<domain.Ports>) => {
  const fixture = newFixture({}, wrap)
  fixture.clock.set(SAMPLE_MOMENT)
  for (let n = 0; n < readers; n += 1) await done(fixture.ports.devices.attach(sampleDevice(n)))
  await done(fixture.ports.notifications.add(sampleNotification(1)))
  return fixture
}

t.test('G5: deferred devices are released before anything else, until none is left', async (t) => {
  const asked: Array<string> = []
  const released = [3, 2]
  const fixture = await begun(1, ({ deliveries }) => ({
    deliveries: {
      ...deliveries,
      releaseDeferred: () => async () => {
        asked.push('release')
        return E.right(released.shift() ?? 0)
      },
      start: (...given) => {
        asked.push('take up')
        return deliveries.start(...given)
      },
    },
  }))
  t.equal((await done(reviewOf(fixture))).tally.delivered, 1)
  t.strictSame(asked.slice(0, 3), ['release', 'release', 'take up'])
  t.strictSame([asked.at(-1), released], ['release', []])
})

t.test('G5: a review that cannot release deferred devices reports it and starts nothing', async (t) => {
  const pushGateway = memoryPushGateway()
  const fixture = await begun(1, ({ deliveries }) => ({
    pushGateway,
    deliveries: { ...deliveries, releaseDeferred: () => TE.left(OUTAGE) },
  }))
  t.strictSame(await reviewOf(fixture)(), E.left(OUTAGE))
  t.strictSame(pushGateway.pushes(), [])
})

t.test('G1: a review that cannot read the item releases its batch', async (t) => {
  let isDown = true
  const { ports, clock } = newFixture({}, ({ libraryItems }) => ({
    libraryItems: { ...libraryItems, find: (id) => (isDown ? TE.left(OUTAGE) : libraryItems.find(id)) },
  }))
  clock.set(SAMPLE_MOMENT)
  await done(ports.devices.attach(sampleDevice(0)))
  await done(ports.notifications.add(sampleNotification(1, { resourceId: O.some('x' as domain.ItemId) })))
  const review = domain.makeReview(ports, domain.DEFAULT_POLICY)({ window: 1 })
  t.strictSame(await review(), E.left(OUTAGE))
  isDown = false
  t.equal((await done(review)).tally.delivered, 1, 'the next review need not wait')
})

t.test('G5: a process claims batches other than those that it is sending', async (t) => {
  const excepted: Array<ReadonlyArray<number>> = []
  const taken: Array<number> = []
  const fourth = Promise.withResolvers<void>()
  const fixture = await begun(1100, ({ deliveries }) => ({
    pushGateway: memoryPushGateway(async ({ destination }) => {
      const isOfSecond = destination.provider === 'fcm' && /^token-[5-9]\d\d$/.test(destination.token)
      if (isOfSecond) await fourth.promise
      return domain.DELIVERED
    }),
    deliveries: {
      ...deliveries,
      claim: (request) => async () => {
        excepted.push(request.except.map(({ number }) => number))
        const claimed = await deliveries.claim(request)()
        if (E.isRight(claimed) && O.isSome(claimed.right)) taken.push(claimed.right.value.claim.number)
        if (excepted.length === 4) fourth.resolve()
        return claimed
      },
    },
  }))
  t.equal((await done(reviewOf(fixture, 2000))).tally.delivered, 1100)
  const [first = -1, second = -1] = taken
  t.strictSame(excepted.slice(0, 2), [[], [first]])
  for (const numbers of excepted.slice(2, 4)) t.ok(numbers.includes(second), 'the second is not finished')
  t.strictSame(excepted.at(-1), [], 'a batch that is finished is not named')
})

t.test(
  'G6: a message whose item has grown since is sent without its image, else without its links',
  async (t) => {
    for (const [takes, shortened, left] of [
      [{ image: 0, links: 0 }, '', ['i', 'a']],
      [{ image: 4097, links: 0 }, 'image', ['', 'a']],
      [{ image: 4097, links: 4097 }, 'links', ['', '']],
    ] as const) {
      const bytesOf = ({ data: { visualUrl, actionUrl } }: domain.PushMessage) =>
        Math.max(visualUrl === '' ? 0 : takes.image, actionUrl === '' ? 0 : takes.links)
      const message = {
        data: { visualUrl: 'i', actionUrl: 'a', iconUrl: '' },
      } as unknown as domain.PushMessage
      const fit = domain.fitted(message, bytesOf)
      t.strictSame(
        [fit.shortened, [fit.message.data.visualUrl, fit.message.data.actionUrl]],
        [shortened, left],
      )
    }
  },
)

t.test('G6, G7: what was left out of a message is in the summary and in the report', async (t) => {
  const pushGateway = memoryPushGateway()
  const fixture = await begun(3, () => ({ pushGateway: { ...pushGateway, bytesOf: () => 4097 } }))
  const { shortened } = await done(reviewOf(fixture))
  const [id = ''] = shortened.map(({ notificationId }) => notificationId)
  t.strictSame(shortened, [{ notificationId: id, shortened: 'links' }])
  const found = await done(fixture.ports.notifications.find(id as domain.NotificationId))
  t.match(found, O.some({ progress: O.some({ shortened: 'links' }) }))
  const reported = async (include: domain.RawParameters = {}) =>
    done(fixture.act.reportDelivery(manager, read(domain.ReportDelivery, { id, ...include })))
  t.equal((await reported({ include: 'shortened' })).shortened, 'links')
  t.notOk('shortened' in (await reported()))
  t.equal(pushGateway.pushes().length, 3)
})

t.test('G5: responses are counted by provider, kind and reason, the most frequent first', async (t) => {
  const { gateway, responses: answers } = domain.countResponses(
    memoryPushGateway(({ deviceId }) => domain.refused(`word ${deviceId}`)),
  )
  const send = async (word: number, times: number) => {
    for (let n = 0; n < times; n += 1)
      await gateway.send({
        deviceId: word,
        destination: { provider: 'apns', sandbox: false, token: 'x' },
      } as unknown as domain.Push)()
  }
  for (let word = 0; word < 99; word += 1) await send(word, 1)
  await send(99, 2)
  await send(100, 5)
  await send(7, 3)
  const told = answers()
  t.equal(told.length, 100, 'no provider has more reasons')
  t.strictSame(told.slice(0, 3), [
    { provider: 'apns', result: 'Refused', reason: 'word 7', count: 4 },
    { provider: 'apns', result: 'Refused', reason: 'word 99', count: 2 },
    { provider: 'apns', result: 'Refused', reason: 'word 0', count: 1 },
  ])
})

t.test('a review without work returns zeros and empty lists', async (t) => {
  t.strictSame(await done(reviewOf(newFixture())), {
    started: 0,
    tally: { delivered: 0, failed: 0, dead: 0, skipped: 0 },
    retries: 0,
    deferred: 0,
    paused: [],
    answers: [],
    setAside: [],
    shortened: [],
  })
})

t.test('G5: dead devices are deleted after a week, not earlier', async (t) => {
  const pushGateway = memoryPushGateway(() => domain.UNREGISTERED)
  const fixture = await begun(1, () => ({ pushGateway }))
  const purge = domain.makePurgeDeadDevices(fixture.ports)
  t.equal((await done(reviewOf(fixture))).tally.dead, 1)
  fixture.clock.set(domain.addMillis(SAMPLE_MOMENT, 7 * 24 * 60 * domain.MINUTE - 1000))
  t.equal(await done(purge()), 0)
  fixture.clock.advance(2000)
  t.equal(await done(purge()), 1)
})
