import type { DatabaseOperation } from '@almoner/adapters-http'
import { type Database, timedDatabase } from '@almoner/adapters-kysely'
import type { Ports } from '@almoner/domain'
import type { Recorded } from '@almoner/domain/delivery'
import { type Push, type PushResult, unregistered } from '@almoner/domain/notifications'
import { unavailable } from '@almoner/domain/ports'
import { memoryPushGateway } from '@almoner/testkit/memory'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import { instrumentedSending } from '../../src/composition/instrumented-sending.ts'

const FAULT = new Error('the disk is full')

/** A database whose work is done by the caller. */
const DATABASE = {
  read: (work: () => Promise<unknown>) => TE.rightTask(work),
  write: (work: () => Promise<unknown>) => work,
  streamSnapshot: (work: () => AsyncIterable<unknown>) => work(),
  readSnapshot: (work: () => Promise<unknown>) => TE.rightTask(work),
} as unknown as Database

t.test('I3: each database operation is recorded once, with its success or failure', async (t) => {
  const told: Array<readonly [DatabaseOperation, boolean]> = []
  const database = timedDatabase(DATABASE, (operation, milliseconds, failed) => {
    t.ok(milliseconds >= 0)
    told.push([operation, failed])
  })
  const since = <A>(work: () => Promise<A>) => {
    told.length = 0
    return work()
  }
  t.strictSame(await since(database.read(async () => 7)), E.right(7))
  t.strictSame(told, [['read', false]])
  t.strictSame(await since(database.write(async () => E.left('refused'))), E.left('refused'))
  t.strictSame(told, [['write', false]], 'a decision is not a failure')
  const failing = async () => {
    throw FAULT
  }
  await t.rejects(since(database.write(failing)), FAULT)
  t.strictSame(told, [['write', true]])
  const outage = E.left(unavailable(FAULT))
  t.strictSame(await since(database.write(async () => outage)), outage)
  t.strictSame(told, [['write', true]])
  t.strictSame(await since(database.readSnapshot(async () => 8)), E.right(8))
  t.strictSame(told, [['snapshot', false]])

  const walk = async (end: 'whole' | 'cut short' | 'broken') => {
    const values = database.streamSnapshot(async function* () {
      yield 1
      if (end === 'broken') throw FAULT
      yield 2
    })
    const seen: Array<number> = []
    for await (const value of values) {
      seen.push(value)
      if (end === 'cut short') break
    }
    return seen
  }
  t.strictSame(await since(() => walk('whole')), [1, 2])
  t.strictSame(told, [['snapshot', false]])
  t.strictSame(await since(() => walk('cut short')), [1])
  t.strictSame(told, [['snapshot', false]], 'a reader that has read enough')
  await t.rejects(
    since(() => walk('broken')),
    FAULT,
  )
  t.strictSame(told, [['snapshot', true]])
})

t.test('I3: each push is recorded with its result, and tokens when their result is stored', async (t) => {
  const told: Array<string> = []
  const answer: PushResult = unregistered('UNREGISTERED')
  const results = [
    { deviceId: 1, kind: 'unregistered', origin: 'fcm' },
    { deviceId: 2, kind: 'unregistered', origin: 'webpush https://push.example.org' },
    { deviceId: 3, kind: 'delivered', origin: 'fcm' },
    { deviceId: 4, kind: 'unregistered', origin: 'fcm' },
  ] as unknown as Parameters<Ports['deliveries']['record']>[1]
  const settled = [
    { deviceId: 1, kind: 'ended', outcome: 'dead' },
    { deviceId: 2, kind: 'ended', outcome: 'dead' },
    { deviceId: 3, kind: 'ended', outcome: 'delivered' },
    { deviceId: 4, kind: 'ended', outcome: 'failed' },
  ]
  let written: 'Right' | 'Left' = 'Left'
  const record = () =>
    written === 'Right'
      ? TE.right({ results: settled, paused: [] } as unknown as Recorded)
      : TE.left({ _tag: 'ClaimLost' })
  const ports = {
    pushGateway: memoryPushGateway(() => answer),
    deliveries: { record },
  } as unknown as Pick<Ports, 'pushGateway' | 'deliveries'>
  const { pushGateway, deliveries } = instrumentedSending(ports, {
    push: (provider, { _tag }) => void told.push(`${provider} ${_tag}`),
    detached: (provider) => void told.push(`${provider} detached`),
  })
  const push = { destination: { provider: 'fcm' } } as unknown as Push
  t.strictSame(await pushGateway.send(push)(), answer)
  t.strictSame(told, ['fcm Unregistered'])
  const at = { now: 0, last: true } as unknown as Parameters<typeof deliveries.record>[2]
  const claim = {} as Parameters<typeof deliveries.record>[0]
  await deliveries.record(claim, results, at)()
  t.equal(told.length, 1, 'results that were not stored are not recorded')
  written = 'Right'
  await deliveries.record(claim, results, at)()
  t.strictSame(told.slice(1), ['fcm detached', 'webpush detached'])
})
