import { chmodSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Destination, recognise } from '@almoner/domain/people'
import * as contracts from '@almoner/testkit/contracts'
import t from 'tap'
import { lineWriter } from '../src/file-gateway.ts'
import { openFileGateway } from '../src/index.ts'

const runner: contracts.ContractRunner = (name, body) => {
  t.test(name, async (t) =>
    body({
      same: (actual, expected, message = 'is the same') => t.strictSame(actual, expected, message),
      ok: (value, message = 'holds') => t.ok(value, message),
    }),
  )
}

const folder = t.testdir({})
let opened = 0

contracts.pushGatewayContract(runner, async (provider) => {
  opened += 1
  const file = join(folder, provider === 'there' ? `${opened}.ndjson` : 'no-such-folder/pushes.ndjson')
  const pushGateway = openFileGateway({ file })
  return { pushGateway, close: pushGateway.close }
})

const modeOf = (file: string): number => statSync(file).mode & 0o777

const linesOf = (file: string): ReadonlyArray<Record<string, unknown>> =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

const subscription = { endpoint: 'https://push.example.org/a', keys: { p256dh: 'key', auth: 'secret' } }

const KINDS: ReadonlyArray<readonly [token: string, written: object]> = [
  ['fcm:abc', { provider: 'fcm', token: 'abc' }],
  ['fid:abc', { provider: 'fcm', fid: 'abc' }],
  ['apns:00ff', { provider: 'apns', token: '00ff', sandbox: false }],
  ['apns-sandbox:00ff', { provider: 'apns', token: '00ff', sandbox: true }],
  [JSON.stringify(subscription), { provider: 'webpush', subscription }],
]

t.test(
  'a push is a line with everything sent to its provider, in a file that only its owner can read',
  async (t) => {
    const file = join(t.testdir(), 'pushes.ndjson')
    const gateway = openFileGateway({ file })
    t.strictSame(await gateway.check(), { _tag: 'Delivered' })
    t.strictSame([modeOf(file), readFileSync(file, 'utf8')], [0o600, ''], 'a dry run writes nothing')
    for (const [token] of KINDS) {
      const push = contracts.samplePush(7, { destination: recognise(token) as Destination })
      t.strictSame(await gateway.send(push)(), { _tag: 'Delivered' })
    }
    await gateway.close()
    const { notificationId, message } = contracts.samplePush(7)
    const moments = { attachedAt: '2026-03-01T12:00:00.000Z', endsAt: '2026-03-02T12:00:00.000Z' }
    t.strictSame(
      linesOf(file),
      KINDS.map(([, written]) => ({ notificationId, deviceId: 7, ...written, message, ...moments })),
    )
  },
)

t.test('lines are appended to existing ones, complete, by several gateways at once', async (t) => {
  const file = join(t.testdir({ 'pushes.ndjson': '{"deviceId":-1}\n' }), 'pushes.ndjson')
  chmodSync(file, 0o644)
  const gateways = [openFileGateway({ file }), openFileGateway({ file })]
  const pushes = Array.from({ length: 400 }, (_, n) => contracts.samplePush(n))
  const results = await Promise.all(pushes.map((push, n) => gateways[n % 2]?.send(push)()))
  t.ok(results.every((result) => result?._tag === 'Delivered'))
  const numbers = linesOf(file).map(({ deviceId }) => Number(deviceId))
  t.strictSame(
    numbers.toSorted((a, b) => a - b),
    [-1, ...pushes.map(({ deviceId }) => deviceId)],
  )
  t.equal(modeOf(file), 0o600, 'others can no longer read it')
  await Promise.all(gateways.map(({ close }) => close()))
})

t.test('a failed write is a retry, and later pushes are written when possible', async (t) => {
  const folder = join(t.testdir(), 'later')
  const file = join(folder, 'pushes.ndjson')
  const gateway = openFileGateway({ file })
  t.match(await gateway.check(), { _tag: 'Retry' })
  t.match(await gateway.send(contracts.samplePush(1))(), { _tag: 'Retry' })
  mkdirSync(folder)
  t.match(await gateway.send(contracts.samplePush(2))(), { _tag: 'Delivered' })
  await gateway.close()
  t.match(linesOf(file), [{ deviceId: 2 }])
})

t.test('anything but a regular file is left unchanged', async (t) => {
  const folder = t.testdir({ folder: {} })
  for (const file of ['/dev/null', join(folder, 'folder')]) {
    const mode = modeOf(file)
    const gateway = openFileGateway({ file })
    t.match(await gateway.send(contracts.samplePush(1))(), { _tag: 'Retry' }, file)
    t.equal(modeOf(file), mode)
    await gateway.close()
  }
})

t.test('closing waits for the current write, and ends the rest with Retry', async (t) => {
  const file = join(t.testdir(), 'pushes.ndjson')
  const gateway = openFileGateway({ file })
  const sent = Promise.all([1, 2, 3].map((n) => gateway.send(contracts.samplePush(n))()))
  await gateway.close()
  t.equal(linesOf(file).length, 3)
  t.ok((await sent).every(({ _tag }) => _tag === 'Delivered'))
  t.match(await gateway.send(contracts.samplePush(4))(), { _tag: 'Retry' })
  await gateway.close()
  t.equal(linesOf(file).length, 3)
})

t.test('an incomplete line, on a full disk, does not damage the next', async (t) => {
  let text = ''
  let room = 4
  const append = lineWriter(async (bytes) => {
    if (room === 0) throw new Error('the disk is full')
    const taken = bytes.subarray(0, Math.min(room, 3))
    text += taken.toString()
    room -= taken.length
    return { bytesWritten: taken.length }
  })
  await t.rejects(append('{"a":1}\n'))
  await t.rejects(append('{"b":2}\n'))
  room = 100
  await append('')
  await append('{"c":3}\n')
  await append('{"d":4}\n')
  t.equal(text, '{"a"\n{"c":3}\n{"d":4}\n')
})
