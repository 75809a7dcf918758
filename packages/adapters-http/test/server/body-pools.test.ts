import t, { type Test } from 'tap'
import { makeBodyPool, type PoolShare } from '../../src/request/body-pools.ts'
import { type Fixture, startFixture } from '../support/fixture.ts'
import { BOUNDARY, fileNamed } from '../support/multipart.ts'
import { asResponse, seeProblem } from '../support/problems.ts'
import { headOf, type Line, openLine, readCounter, stillClock } from '../support/seconds.ts'
import { FIELD } from '../support/uploads.ts'

/** Counts bytes; the result says whether they were counted at once, and later whether they have been. */
const add = (share: PoolShare, bytes: number): (() => boolean) => {
  let isCounted = false
  share.add(bytes, () => {
    isCounted = true
  })
  return () => isCounted
}

t.test(
  'B10: a pool counts bytes in all and for each network, and serves waiters in their order',
  async (t) => {
    const pool = makeBodyPool({ total: 100, perNetwork: 60, hasReserve: false })
    const [a, b, c] = [pool('a', true), pool('b', true), pool('c', true)]
    t.ok(add(a, 60)())
    const second = add(pool('a', true), 1)
    t.notOk(second(), 'the network is full')
    t.ok(add(b, 40)(), 'another network is not')
    const third = add(c, 0)
    t.notOk(third(), 'the pool is full: reading does not begin')
    b.give(10)
    t.ok(third(), 'room for one byte')
    t.notOk(second())
    a.release()
    a.release()
    t.ok(second(), 'its own network has room')
    t.ok(add(pool('d', true), 30)())
    const large = add(pool('e', false), 60)
    t.notOk(large(), 'room for a part is not enough')
    b.release()
    t.ok(large())
  },
)

t.test('B10: one small body of each network is read beyond both bounds', async (t) => {
  const pool = makeBodyPool({ total: 100, perNetwork: 50, hasReserve: true })
  const [a, b] = [pool('a', false), pool('b', false)]
  t.ok(add(a, 50)())
  t.ok(add(b, 50)())
  t.notOk(add(pool('a', false), 1)(), 'a large body has no reserve')
  const reserved = pool('a', true)
  t.ok(add(reserved, 30)(), 'a small one has, before large ones that wait')
  t.ok(add(reserved, 30)(), 'to its end')
  t.ok(add(pool('c', true), 30)(), 'so has another network')
  const next = add(pool('a', true), 1)
  t.notOk(next(), 'one at a time')
  reserved.release()
  t.ok(next())
})

t.test('B10: bodies that leave while they wait are passed over, and a pool empties', async (t) => {
  const pool = makeBodyPool({ total: 100, perNetwork: 100, hasReserve: false })
  const first = pool('a', true)
  add(first, 100)
  const [gone, waiting] = [pool('b', true), pool('c', true)]
  const [goneCounted, counted] = [add(gone, 100), add(waiting, 100)]
  gone.release()
  first.release()
  t.strictSame([goneCounted(), counted()], [false, true])
  waiting.release()
  t.ok(add(pool('d', true), 100)(), 'all of it is free')
})

const start = async (t: Test) => {
  const clock = stillClock()
  const fixture = await startFixture(t.testdir(), {
    store: 'memory',
    everySecond: clock.everySecond,
    trustProxy: ['127.0.0.1'],
  })
  t.teardown(async () => {
    // What waits is not read, so that its end is noticed after the wait only.
    await clock.pass(5)
    await fixture.stop()
  })
  return { clock, fixture, read: readCounter(fixture.app) }
}

type Kind = 'json' | 'oauth' | 'upload'

const PATHS: Readonly<Record<Kind, string>> = {
  json: '/feed/',
  oauth: '/oauth2/get-token',
  upload: '/library/any/media/cover',
}

/** Begins a body that lacks its last byte, from an address. */
const hold = ({ url }: Fixture, kind: Kind, from: string, bytes: number): Line => {
  const type = {
    json: 'application/json',
    oauth: 'application/x-www-form-urlencoded',
    upload: `multipart/form-data; boundary=${BOUNDARY}`,
  }[kind]
  const begin = {
    json: '{"a":"',
    oauth: 'a=',
    upload: `--${BOUNDARY}\r\n${fileNamed(FIELD, 'a.png')}\r\n\r\n`,
  }[kind]
  const head = { 'Content-Type': type, 'Content-Length': bytes + 1, 'X-Forwarded-For': from }
  return openLine(url, headOf(PATHS[kind], head) + begin + 'x'.repeat(bytes - begin.length))
}

/** Sends a whole request without a token, and gives its connection. */
const ask = ({ url }: Fixture, kind: Kind, from: string): Line => {
  const body = `a=${'x'.repeat(10_000)}`
  const head = {
    'Content-Type': 'application/x-www-form-urlencoded',
    'Content-Length': body.length,
    'X-Forwarded-For': from,
    Connection: 'close',
  }
  return openLine(url, headOf(PATHS[kind], head) + body)
}

const MIB = 1024 * 1024

t.test('B10: bodies of unknown callers share 16 MiB an address; beyond, they wait and get 503', async (t) => {
  const { clock, fixture, read } = await start(t)
  const held = Array.from({ length: 129 }, () => hold(fixture, 'json', '2001:db8:1:2::1', 131_000))
  t.teardown(() => {
    for (const { socket } of held) socket.destroy()
  })
  await read(held)
  const [late, other, known] = [
    ask(fixture, 'json', '2001:db8:1:2:ffff::1'),
    ask(fixture, 'json', '2001:db8:1:3::1'),
    await fixture.call('POST', '/feed/', {
      as: 'donor',
      json: {},
      headers: { 'x-forwarded-for': '2001:db8:1:2::1' },
    }),
  ]
  t.equal((await other.closed).status, 401, 'another network does not wait')
  t.equal(known.status, 400, 'nor does a caller whose token is in the head')
  await clock.pass(4)
  t.equal(late.received(), '', 'the network waits')
  await clock.pass(1)
  const refused = await late.closed
  await seeProblem(t, asResponse(refused), 'unavailable')
  t.match(refused.headers['retry-after'], /^\d+$/)
  for (const { socket } of held.slice(0, 20)) socket.destroy()
  const after = ask(fixture, 'json', '2001:db8:1:2::1')
  t.equal((await after.closed).status, 401, 'aborted bodies return their bytes')
})

t.test('B10: one small body of an address is always read, however much waits', async (t) => {
  const { clock, fixture, read } = await start(t)
  const uploads = [1, 2].map(() => hold(fixture, 'upload', '192.0.2.1', 9 * MIB))
  t.teardown(() => {
    for (const { socket } of uploads) socket.destroy()
  })
  await read(uploads, 16 * MIB)
  const small = hold(fixture, 'json', '192.0.2.1', 100_000)
  await read([small])
  t.equal(small.received(), '')
  // Larger than what the uploads may have left.
  const late = hold(fixture, 'json', '192.0.2.1', 100_000)
  await read([late])
  t.equal(late.received(), '', 'the next one waits')
  for (const { socket } of [small, late]) socket.write('}')
  while (small.received() === '' || late.received() === '') await clock.pass(0)
  t.match(small.received(), /^HTTP\/1\.1 400/, 'it is read to its end')
  t.match(late.received(), /^HTTP\/1\.1 400/, 'and leaves its place to the next')
  for (const { socket } of [small, late]) socket.destroy()
})

t.test('B10: OAuth endpoints take 16 KiB a body and share 256 KiB an address of their own', async (t) => {
  const { clock, fixture, read } = await start(t)
  const large = new URLSearchParams({ grant_type: 'client_credentials', scope: 'x'.repeat(16_384) })
  for (const path of ['/oauth2/get-token', '/oauth2/revoke']) {
    const answer = await fixture.call('POST', path, { form: large })
    t.equal(answer.status, 400, path)
    t.match(await answer.json(), { error: 'invalid_request', error_description: /larger/ }, path)
  }
  const held = Array.from({ length: 17 }, () => hold(fixture, 'oauth', '192.0.2.1', 16_000))
  t.teardown(() => {
    for (const { socket } of held) socket.destroy()
  })
  await read(held)
  const late = ask(fixture, 'oauth', '192.0.2.1')
  t.equal((await ask(fixture, 'oauth', '192.0.2.2').closed).status, 400, 'another address')
  t.equal((await ask(fixture, 'json', '192.0.2.1').closed).status, 401, 'the other endpoints of the address')
  await read([late])
  await clock.pass(5)
  const refused = await late.closed
  t.equal(refused.status, 503)
  t.match(JSON.parse(refused.body), { error: 'temporarily_unavailable' })
  t.match(refused.headers['retry-after'], /^\d+$/)
})
