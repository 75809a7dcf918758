import { join } from 'node:path'
import { systemClock } from '@almoner/adapters-node'
import { byProvider } from '@almoner/adapters-push'
import { DEFAULT_POLICY, mediaAddressesBelow, type Ports } from '@almoner/domain'
import type { DeviceToken } from '@almoner/domain/people'
import type { Node } from '@almoner/domain/ports'
import { addMillis, instant, SECOND } from '@almoner/domain/values'
import { done, SAMPLE_MOMENT, sampleDevice, sampleNotification } from '@almoner/testkit/contracts'
import { evenRandom, instantTimer, memoryPushGateway, memoryStore, setClock } from '@almoner/testkit/memory'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pino } from 'pino'
import t from 'tap'
import { readSettings } from '../../src/config/read.ts'
import { reviewJob } from '../../src/jobs/review.ts'
import { DEFAULT_DATABASE, onStore } from '../support/database.ts'
import { inProcess } from '../support/in-process.ts'
import { withProviders } from '../support/providers.ts'
import { progressIn, READER, schedule, withDevices } from '../support/readers.ts'

/** A node that sends by both providers, as it registers during a rolling restart. */
const NODE = { id: 'other', name: 'other:3000', settings: { ALMONER_PUSH: 'fcm,apns' } }

const APPLE = `apns:${'0badc0de'.repeat(8)}` as DeviceToken

/** The job of a process that sends by FCM only, on a notification to one device of FCM and one of APNs. */
const fcmOnly = async (nodesOf: (nodes: Ports['nodes']) => Ports['nodes']) => {
  const clock = setClock(SAMPLE_MOMENT)
  const store = memoryStore()
  await done(store.devices.attach(sampleDevice(1)))
  await done(store.devices.attach(sampleDevice(2, { token: APPLE, kind: 'apns' })))
  const notification = sampleNotification(1)
  await done(store.notifications.add(notification))
  const ports = {
    ...store,
    nodes: nodesOf(store.nodes),
    clock,
    pushGateway: byProvider({ fcm: memoryPushGateway() }),
    random: evenRandom,
    timer: instantTimer(clock),
    mediaAddresses: mediaAddressesBelow('http://127.0.0.1'),
  }
  const settings = readSettings({ ALMONER_PUSH: 'fcm' })
  if (E.isLeft(settings)) throw new Error(settings.left.join())
  const job = reviewJob({
    ports,
    policy: DEFAULT_POLICY,
    settings: settings.right,
    logger: pino({ level: 'silent' }),
    beat: TE.right(undefined),
    version: () => 0,
  })
  const review = () =>
    done(job.work(new AbortController().signal, () => () => {}) as TE.TaskEither<never, object>)
  return { review, ports, id: notification.id }
}

/** The nodes as they are once another one has registered, just after a review has looked for others. */
const joiningLate = (nodes: Ports['nodes']): Ports['nodes'] => {
  let looks = 0
  const other: Node = { ...NODE, lastSeenAt: SAMPLE_MOMENT }
  return { ...nodes, since: () => TE.rightIO(() => (looks++ === 0 ? [] : [other])) }
}

t.test('G7: a server without a provider leaves its devices to a live node that has it', async (t) => {
  const { review, ports, id } = await fcmOnly(joiningLate)
  t.match(await review(), { started: 1, delivered: 1, failed: 0, deferred: 1 })
  t.match(await progressIn(ports, id), { tally: { delivered: 1, failed: 0 } })
  t.match(await done(ports.deliveries.backlog()), { sending: 1 }, 'it waits for that node')
})

t.test('G7: if no live node has the provider, its devices fail', async (t) => {
  const { review, ports, id } = await fcmOnly((nodes) => nodes)
  t.match(await review(), { started: 1, delivered: 1, failed: 1, deferred: 0 })
  t.match(await progressIn(ports, id), { tally: { delivered: 1, failed: 1 } })
})

for (const [isLive, secondsAgo] of [
  [true, 100],
  [false, 181],
] as const)
  t.test(
    `G7, G11: notification review --force leaves devices to another node while its heartbeat is live: ${isLive}`,
    async (t) => {
      const folder = t.testdir()
      const { variables } = await withProviders(t, folder)
      await withDevices(folder, 1)
      const id = await schedule(folder, 1)
      await onStore(folder, async ({ devices, nodes }) => {
        const now = systemClock.now()
        await done(
          devices.attach({ token: APPLE, email: READER, kind: 'apns', attachedAt: addMillis(now, -SECOND) }),
        )
        await done(nodes.beat({ ...NODE, lastSeenAt: addMillis(now, -secondsAgo * SECOND) }, instant(0)))
      })
      const { code, out, err } = await inProcess(['notification', 'review', '--force', '--json'], {
        ...variables,
        ALMONER_PUSH: 'fcm',
        ALMONER_DATABASE: `sqlite:${join(folder, DEFAULT_DATABASE)}`,
      })
      t.strictSame([code, err], [0, ''])
      const rest = isLive ? { failed: 0, deferred: 1, sending: 1 } : { failed: 1, deferred: 0, sending: 0 }
      t.match(JSON.parse(out), { delivered: 1, ...rest })
      const { tally } = await onStore(folder, (store) => progressIn(store, id))
      t.match(tally, { delivered: 1, failed: rest.failed })
    },
  )
