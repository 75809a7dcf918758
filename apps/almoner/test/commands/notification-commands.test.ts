import { join } from 'node:path'
import { systemClock } from '@almoner/adapters-node'
import { DEFAULT_POLICY, type ItemId, mediaAddressesBelow, type Ports } from '@almoner/domain'
import { makeReview, type ReviewSummary, wholeOf } from '@almoner/domain/delivery'
import { DELIVERED, type MessageText, NO_OUTCOMES, retry } from '@almoner/domain/notifications'
import { SECOND } from '@almoner/domain/values'
import { done, sampleDevice, sampleMoment, sampleNotification } from '@almoner/testkit/contracts'
import {
  evenRandom,
  instantTimer,
  memoryPushGateway,
  memoryStore,
  type PushScript,
  setClock,
} from '@almoner/testkit/memory'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import { interruptible, reviewAll } from '../../src/commands/review.ts'
import { almoner, type Variables } from '../support/almoner.ts'
import { DEFAULT_DATABASE, onStore } from '../support/database.ts'
import { inFolder, inProcess } from '../support/in-process.ts'
import { progressIn, pushedTo, READER, schedule, tokenOf, withDevices } from '../support/readers.ts'

t.test('G4: notification review sends due notifications once, and reports its work', async (t) => {
  const folder = t.testdir()
  await withDevices(folder, 5)
  const id = await schedule(folder, 1)
  await schedule(folder, 2, { date: O.none })
  const { code, out, err } = await almoner(folder, ['notification', 'review', '--json'])
  t.equal(code, 0)
  const nothing = {
    via: 'log',
    started: 0,
    delivered: 0,
    failed: 0,
    dead: 0,
    skipped: 0,
    retries: 0,
    deferred: 0,
    answers: [],
    setAside: [],
    sending: 0,
    nextRetry: '',
    paused: [],
  }
  t.strictSame(JSON.parse(out), { ...nothing, started: 1, delivered: 5 })
  t.equal(new Set(pushedTo(err)).size, 5)
  t.equal(pushedTo(err).length, 5)
  t.match(await onStore(folder, (store) => progressIn(store, id)), { recipients: 5, tally: { delivered: 5 } })
  const again = await almoner(folder, ['notification', 'review'])
  t.strictSame(
    [again.out, again.err],
    [
      'started: 0\ndevices: 0 delivered, 0 failed, 0 dead, 0 skipped\nretries: 0\nALMONER_PUSH=log: log only, nothing is sent\n',
      '',
    ],
  )
})

t.test('no token and no email is logged, at any level', async (t) => {
  const folder = t.testdir()
  await withDevices(folder, 2)
  await schedule(folder, 1)
  const { err } = await almoner(folder, ['notification', 'review'], { ALMONER_LOG_LEVEL: 'trace' })
  t.equal(pushedTo(err).length, 2)
  for (const secret of [tokenOf(0), tokenOf(1), 'a-secret-token', READER]) t.notOk(err.includes(secret))
})

t.test('a push is logged at every level, because the log line is its only result', async (t) => {
  const folder = t.testdir()
  await withDevices(folder, 2)
  await schedule(folder, 1)
  const { out, err } = await almoner(folder, ['notification', 'review', '--json'], {
    ALMONER_LOG_LEVEL: 'fatal',
  })
  t.match(JSON.parse(out), { delivered: 2 })
  t.equal(pushedTo(err).length, 2)
})

t.test(
  'an interruptible command catches the first signal only, and removes its handlers at the end',
  async (t) => {
    const listeners = () => ['SIGTERM', 'SIGINT'].map((signal) => process.listenerCount(signal))
    const before = listeners()
    const during = (ended: () => Promise<string>) =>
      interruptible(async (signal) => {
        t.strictSame(
          listeners(),
          before.map((count) => count + 1),
        )
        t.notOk(signal.aborted)
        return ended()
      })
    t.equal(await during(async () => 'done'), 'done')
    t.strictSame(listeners(), before)
    await t.rejects(during(() => Promise.reject(new Error('a bug'))))
    t.strictSame(listeners(), before)
  },
)

t.test('G6: notification preview shows recipients by kind and the message, and sends nothing', async (t) => {
  const folder = t.testdir()
  await withDevices(folder, 3)
  await onStore(folder, async ({ devices }) => {
    await done(devices.attach(sampleDevice(2, { kind: 'apns' })))
    await done(devices.attach(sampleDevice(3, { kind: 'unroutable' })))
  })
  const id = await schedule(folder, 1, { title: 'Deux\u009bmots' as MessageText })
  const { code, out, err } = await inFolder(folder, ['notification', 'preview', id, '--json'])
  t.strictSame([code, err], [0, ''])
  const { message, bytes, ...rest } = JSON.parse(out)
  t.strictSame(rest, {
    notificationId: id,
    topic: null,
    recipients: { fcm: 3, apns: 1, webpush: 0, unroutable: 1 },
    limit: 4096,
    smallerLimits: [],
  })
  t.match(message, { title: 'Deux\u009bmots', data: { notificationId: id, lang: 'en', color: '#1F4E79' } })
  t.equal(bytes, Buffer.byteLength(JSON.stringify(message)))
  const text = await inFolder(folder, ['notification', 'preview', id])
  t.match(text.out, /^recipients {4}fcm 3, apns 1, webpush 0, unroutable 1$/m)
  t.match(text.out, new RegExp(`^size {10}${bytes} of 4096 bytes$`, 'm'))
  t.match(text.out, '"title": "Deux?mots"', 'nothing in it moves the cursor')
  await t.rejects(
    onStore(folder, (store) => progressIn(store, id)),
    'it was not started',
  )
})

t.test(
  'notification preview: with ALMONER_PORT=0 it asks for a base URL, and prints no URL with port 0',
  async (t) => {
    const folder = t.testdir()
    await withDevices(folder, 1)
    const id = await schedule(folder, 1)
    const variables = { ALMONER_DATABASE: `sqlite:${join(folder, DEFAULT_DATABASE)}`, ALMONER_PORT: '0' }
    const preview = (more: Variables) => inProcess(['notification', 'preview', id], { ...variables, ...more })
    t.match(await preview({}), {
      code: 1,
      out: '',
      err: /^almoner: ALMONER_PORT=0 [^\n]+ALMONER_BASE_URL[^\n]+\n$/,
    })
    const asked = await preview({ ALMONER_BASE_URL: 'https://example.org' })
    t.match([asked.code, asked.out], [0, /^notification {2}/])
  },
)

t.test('G11: review, stats and push status mark pushes that only the log got', async (t) => {
  const folder = t.testdir()
  await withDevices(folder, 1)
  await schedule(folder, 1, { date: O.some(systemClock.now()) })
  const note = 'log only, nothing is sent'
  const review = await inFolder(folder, ['notification', 'review'])
  t.match(review.out, `\nALMONER_PUSH=log: ${note}\n`)
  const again = await inFolder(folder, ['notification', 'review', '--json'])
  t.match(JSON.parse(again.out), { via: 'log' })
  t.match((await inFolder(folder, ['stats'])).out, `\nALMONER_PUSH=log: ${note}.\n`)
  const states = JSON.parse((await inFolder(folder, ['push', 'status', '--json'])).out)
  t.match(states, [{ provider: 'fcm', state: 'off', reason: note }, { state: 'off' }, { state: 'off' }])
})

t.test('notification preview: an undated one is never sent, an unknown one is exit 1', async (t) => {
  const folder = t.testdir()
  await withDevices(folder, 1)
  const id = await schedule(folder, 1, { date: O.none, resourceId: O.some('gone' as ItemId) })
  t.match(
    (await inFolder(folder, ['notification', 'preview', id])).out,
    /^date {10}none: it never goes out$/m,
  )
  t.match(await inFolder(folder, ['notification', 'preview', 'no-such']), {
    code: 1,
    out: '',
    err: 'almoner: there is no such notification\n',
  })
  t.match(await inFolder(folder, ['notification', 'preview', 'a\u0000b']), {
    code: 2,
    err: /^almoner: ID must not [^\n]+\n$/,
  })
})

/** A store in memory with a due notification to this number of readers, and its reviews. */
const newFixture = async (readers: number, script?: PushScript) => {
  const clock = setClock(sampleMoment(0))
  const pushGateway = memoryPushGateway(script)
  const ports = {
    ...memoryStore(),
    clock,
    pushGateway,
    random: evenRandom,
    timer: instantTimer(clock),
    mediaAddresses: mediaAddressesBelow('http://127.0.0.1'),
  }
  for (let n = 0; n < readers; n += 1) await done(ports.devices.attach(sampleDevice(n)))
  const notification = sampleNotification(1)
  await done(ports.notifications.add(notification))
  const review = makeReview(ports, DEFAULT_POLICY)({ window: 10 })
  return { ports, clock, pushGateway, review, id: notification.id }
}

/** Another process has taken the notification up and claimed all of it. */
const claimedByAnother = async ({ deliveries, clock }: Pick<Ports, 'deliveries' | 'clock'>) => {
  await done(deliveries.start(clock.now(), 86_400 * SECOND))
  const batch = await done(
    deliveries.claim({ now: clock.now(), most: 500, first: 'retries', except: [], isAbandoned: () => true }),
  )
  if (O.isNone(batch)) throw new Error('nothing to claim')
  return batch.value
}

t.test('notification review waits for claims of other processes', async (t) => {
  const { ports, review, pushGateway } = await newFixture(3)
  const { claim, recipients } = await claimedByAnother(ports)
  let waits = 0
  /** The other process settles all while this one waits. */
  const wait = () => async () => {
    waits += 1
    if (waits < 3) return
    const results = recipients.map(
      ({ deviceId }) =>
        ({ deviceId, kind: 'responded', origin: wholeOf('fcm'), outcome: 'delivered' }) as const,
    )
    await done(
      ports.deliveries.record(claim, results, { now: ports.clock.now(), last: true, credentials: {} }),
    )
  }
  const { counts, backlog } = await done(reviewAll({ ...ports, timer: { wait } }, review))
  t.equal(waits, 3)
  t.match(counts, { started: 0, delivered: 0 })
  t.match(backlog, { sending: 0, claimed: 0 })
  t.strictSame(pushGateway.pushes(), [])
})

t.test(
  'notification review takes over the batches of a dead process after their lease expires',
  async (t) => {
    const { ports, review, pushGateway, clock, id } = await newFixture(3)
    await claimedByAnother(ports)
    const { counts } = await done(reviewAll(ports, review))
    t.match(counts, { started: 0, delivered: 3 })
    t.equal(pushGateway.pushes().length, 3)
    t.ok(clock.now() >= sampleMoment(30))
    t.match(await progressIn(ports, id), { tally: { delivered: 3 } })
  },
)

t.test('notification review does not wait for retries, and prints when the next is due', async (t) => {
  const { ports, review, clock } = await newFixture(2, ({ deviceId }) =>
    Number(deviceId) % 2 === 0 ? DELIVERED : retry(O.some(3600 * SECOND)),
  )
  const { counts, backlog } = await done(reviewAll(ports, review))
  t.match(counts, { started: 1, delivered: 1, retries: 1 })
  t.strictSame(backlog, { sending: 1, claimed: 0, nextRetry: O.some(sampleMoment(3600)) })
  t.ok(clock.now() < sampleMoment(1), 'it waited only to gather results')
})

t.test('notification review sums up its reviews, and stops when the store fails', async (t) => {
  const { ports } = await newFixture(0)
  const claims = [1, 1, 0]
  const deliveries = {
    ...ports.deliveries,
    backlog: () => async () => TE.right({ sending: 0, claimed: claims.shift() ?? 0, nextRetry: O.none })(),
  }
  const one: ReviewSummary = {
    started: 1,
    tally: { ...NO_OUTCOMES, delivered: 2, dead: 1 },
    retries: 3,
    deferred: 1,
    paused: [],
    answers: [],
    setAside: [],
    shortened: [],
  }
  const { counts } = await done(reviewAll({ ...ports, deliveries }, TE.right(one)))
  t.strictSame(counts, { started: 3, delivered: 6, failed: 0, dead: 3, skipped: 0, retries: 9, deferred: 3 })
  const outage = { _tag: 'Unavailable', cause: new Error('gone') } as const
  t.match(await reviewAll(ports, TE.left(outage))(), { left: outage })
})
