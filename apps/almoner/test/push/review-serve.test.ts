import { systemClock } from '@almoner/adapters-node'
import { addMillis, instant, type NotificationId } from '@almoner/domain/values'
import { done } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { almoner, logLines, serve } from '../support/almoner.ts'
import { onStore } from '../support/database.ts'
import { progressIn, pushedTo, READER, schedule, withDevices } from '../support/readers.ts'

const EVERY_SECOND = { ALMONER_REVIEW_EVERY: '1' }

/** One push at a time: slow enough to be stopped in the middle. */
const SLOWLY = { ...EVERY_SECOND, ALMONER_PUSH_WINDOW: '1' }

/** A few at a time, so that several processes have time to take part. */
const FEW = { ...EVERY_SECOND, ALMONER_PUSH_WINDOW: '5' }

const progress = (folder: string, id: NotificationId) => onStore(folder, (store) => progressIn(store, id))

const numbers = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, n) => n + 1)

const sorted = (devices: ReadonlyArray<number>): ReadonlyArray<number> => devices.toSorted((a, b) => a - b)

t.test('G4: notifications that became due during a downtime are sent at the start', async (t) => {
  const folder = t.testdir()
  await withDevices(folder, 3)
  const id = await schedule(folder, 1)
  const server = await serve(folder, [], { ALMONER_REVIEW_EVERY: '3600' })
  await server.logged('"job":"review"')
  t.match(await progress(folder, id), { recipients: 3, tally: { delivered: 3, failed: 0 } })
  const { code, err } = await server.stop()
  t.equal(code, 0)
  const note = 'log only, nothing is sent'
  t.match(logLines(err)[0], { msg: 'listening', push: note }, 'nothing is logged before that line')
  t.match(
    logLines(err).find(({ msg }) => msg === 'push'),
    { sent: false },
  )
  t.strictSame(sorted(pushedTo(err)), numbers(3))
  t.match(
    logLines(err).find(({ job }) => job === 'review'),
    {
      level: 'info',
      started: 1,
      delivered: 3,
      failed: 0,
      dead: 0,
      skipped: 0,
      retries: 0,
      note,
      msg: 'job done',
    },
  )
  t.notOk(err.includes(READER) || err.includes('a-secret-token'), 'neither emails nor tokens')
})

t.test('G4: notifications that become due while the server runs are sent by a review', async (t) => {
  const folder = t.testdir()
  await withDevices(folder, 2)
  const server = await serve(folder, [], EVERY_SECOND)
  for (const n of [1, 2]) {
    const id = await schedule(folder, n)
    await server.logged(`"notificationId":"${id}"`)
  }
  await server.stop()
  t.strictSame(sorted(pushedTo(server.said().err)), [1, 1, 2, 2])
})

t.test(
  'G9: a notification is sent at its time, whichever process created it, and a past one at once',
  async (t) => {
    const folder = t.testdir()
    await withDevices(folder, 1)
    const server = await serve(folder, [], { ALMONER_REVIEW_EVERY: '3600', ALMONER_LOG_LEVEL: 'debug' })
    await server.logged('"job":"review"')
    const due = addMillis(systemClock.now(), 1500)
    const soon = await schedule(folder, 1, { date: O.some(due) })
    const past = await schedule(folder, 2, { date: O.some(instant(0)) })
    await server.logged(`"notificationId":"${past}"`)
    await server.logged(`"notificationId":"${soon}"`)
    t.ok(systemClock.now() >= due, 'not earlier')
    t.strictSame(
      pushedTo((await server.stop()).err),
      [1, 1],
      'each once, an hour before the next periodic review',
    )
  },
)

/** Writes the heartbeat of another node, which sends by FCM. */
const otherNode = (folder: string, secondsAgo: number) =>
  onStore(folder, ({ nodes }) => {
    const lastSeenAt = addMillis(systemClock.now(), -secondsAgo * 1000)
    const node = { id: 'other', name: 'other:3000', lastSeenAt, settings: { ALMONER_PUSH: 'fcm' } }
    return done(nodes.beat(node, instant(0)))
  })

t.test('G11: no process reviews while a live node has another ALMONER_PUSH', async (t) => {
  const folder = t.testdir()
  await withDevices(folder, 2)
  const id = await schedule(folder, 1)
  await otherNode(folder, 100)
  const server = await serve(folder, [], EVERY_SECOND)
  await server.logged('no review: ALMONER_PUSH is log here and fcm at other:3000')
  t.equal((await fetch(`${server.url}/health/live`)).status, 200, 'the server still answers')
  const refused = await almoner(folder, ['notification', 'review'])
  t.match(refused, { code: 1, out: '' })
  t.match(
    refused.err,
    /^almoner: no review: ALMONER_PUSH is log here and fcm at other:3000; [^\n]*--force[^\n]*\n$/,
  )
  t.strictSame(pushedTo((await server.stop()).err), [])
  const state = await onStore(folder, ({ notifications }) => done(notifications.find(id)))
  t.ok(O.isSome(state) && O.isNone(state.value.progress), 'nothing was started')
  const forced = await almoner(folder, ['notification', 'review', '--force', '--json'])
  t.match(JSON.parse(forced.out), { delivered: 2 })
})

t.test('G11: a node whose heartbeat is older than three minutes does not block reviews', async (t) => {
  const folder = t.testdir()
  await withDevices(folder, 2)
  await schedule(folder, 1)
  await otherNode(folder, 181)
  const { code, out } = await almoner(folder, ['notification', 'review', '--json'])
  t.equal(code, 0)
  t.match(JSON.parse(out), { delivered: 2 })
})

t.test('ALMONER_REVIEW=off: the server reviews nothing, the command does', async (t) => {
  const folder = t.testdir()
  await withDevices(folder, 2)
  await schedule(folder, 1)
  const server = await serve(folder, [], { ...EVERY_SECOND, ALMONER_REVIEW: 'off' })
  const { out } = await almoner(folder, ['notification', 'review', '--json'])
  t.match(JSON.parse(out), { started: 1, delivered: 2 })
  const { code, err } = await server.stop()
  t.strictSame([code, pushedTo(err)], [0, []])
  t.notMatch(err, '"job":"review"')
})

t.test('SIGTERM during a review: pushes in flight are recorded, claims are released', async (t) => {
  const folder = t.testdir()
  await withDevices(folder, 500)
  const id = await schedule(folder, 1)
  const server = await serve(folder, [], SLOWLY)
  await server.logged('"msg":"push"')
  const { code, err } = await server.stop()
  t.equal(code, 0)
  t.match(err, '"msg":"stopped"')
  const pushed = pushedTo(err)
  t.ok(pushed.length < 500, 'it was in progress')
  t.match(await progress(folder, id), { recipients: 500, tally: { delivered: pushed.length } })
  t.match(await onStore(folder, ({ deliveries }) => done(deliveries.backlog())), { sending: 1, claimed: 0 })
  const rest = await almoner(folder, ['notification', 'review', '--json'])
  t.match(JSON.parse(rest.out), { started: 0, delivered: 500 - pushed.length, sending: 0 })
  t.strictSame(sorted([...pushed, ...pushedTo(rest.err)]), numbers(500), 'each device got it once')
})

t.test('G5: several processes on one database share the work, and each device gets it once', async (t) => {
  const folder = t.testdir()
  await withDevices(folder, 1200)
  const servers = await Promise.all([serve(folder, [], FEW), serve(folder, [], FEW)])
  const id = await schedule(folder, 1)
  // It takes its part, and ends when nothing is left.
  const command = await almoner(folder, ['notification', 'review', '--json'], FEW)
  t.match(JSON.parse(command.out), { sending: 0 })
  t.match(await progress(folder, id), { recipients: 1200, tally: { delivered: 1200 } })
  const ended = await Promise.all(servers.map((server) => server.stop()))
  t.strictSame(
    ended.map(({ code }) => code),
    [0, 0],
  )
  const pushed = [command, ...ended].map(({ err }) => pushedTo(err))
  t.strictSame(sorted(pushed.flat()), numbers(1200))
  t.comment(`shares: ${pushed.map(({ length }) => length).join(', ')}`)
})
