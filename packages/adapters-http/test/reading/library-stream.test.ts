import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LibraryItem, Ports } from '@almoner/domain'
import type { ItemStore, LibraryItems } from '@almoner/domain/ports'
import { RepeatableBatches } from '@almoner/domain/values'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import t from 'tap'
import { type Fixture, STORES, startFixture } from '../support/fixture.ts'
import {
  feedItem,
  insertFeedItem,
  insertLibraryItem,
  libraryItem,
  type Traits,
} from '../support/inserting.ts'
import { create, itemsIn, onEachStore, type SeenItem, update } from '../support/items.ts'
import { readLines, untilLines } from '../support/log-lines.ts'

// C12: without lim the whole collection is streamed in bounded memory, as one consistent snapshot.

const MANY = 3000
const AT_ONCE = 200
const DRAFT: Traits = { status: 'Draft', isDonorRestricted: false, lang: 'en', kind: 'link', day: 0 }

const numbers = Array.from({ length: MANY }, (_, n) => n)

const fill = async (ports: Ports, contentType: 'library' | 'feed', count = MANY) => {
  for (let from = 0; from < count; from += AT_ONCE)
    await Promise.all(
      numbers
        .slice(from, from + AT_ONCE)
        .map((n) =>
          contentType === 'library'
            ? insertLibraryItem(ports, libraryItem(n, { ...DRAFT, day: n % 7 }))
            : insertFeedItem(ports, feedItem(n, { ...DRAFT, day: n % 7 })),
        ),
    )
}

const wholeOf = async (fixture: Fixture, contentType: 'library' | 'feed'): Promise<ReadonlyArray<SeenItem>> =>
  itemsIn(await fixture.call('GET', `/${contentType}/`, { as: 'manager' }))

/** Enough items that their collection is sent in chunks. */
const LARGE = 1000

/** Blocks the next listing after its first batch, until it is released. */
const makeHold = () => {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  let armed = false
  const hold = async function* <A>(batches: AsyncIterable<A>) {
    const holds = armed
    armed = false
    let isFirst = true
    for await (const batch of batches) {
      yield batch
      if (isFirst && holds) {
        reached.resolve()
        await opened.promise
      }
      isFirst = false
    }
  }
  const held = <I, N extends I, Q, P>(store: ItemStore<I, N, Q, P>): ItemStore<I, N, Q, P> => ({
    ...store,
    list: (query, window) =>
      pipe(
        store.list(query, window),
        TE.map((listing) => ({ ...listing, batches: hold(listing.batches) })),
      ),
  })
  return {
    arm: () => {
      armed = true
    },
    reached: reached.promise,
    open: () => opened.resolve(),
    wrap: (ports: Ports): Ports => ({
      ...ports,
      libraryItems: held(ports.libraryItems),
      feedItems: held(ports.feedItems),
    }),
  }
}

for (const store of STORES)
  for (const contentType of ['library', 'feed'] as const)
    t.test(
      `C12: all 3,000 ${contentType} items come from one snapshot while writes continue (${store})`,
      async (t) => {
        const hold = makeHold()
        const fixture = await startFixture(t.testdir(), { store, wrap: hold.wrap })
        t.teardown(fixture.stop)
        await fill(fixture.ports, contentType)
        const before = await wholeOf(fixture, contentType)
        t.equal(before.length, MANY)
        hold.arm()
        const reading = wholeOf(fixture, contentType)
        await hold.reached
        // Behind the reader, before it, and at both ends; a new date moves a library item across.
        const touched = [0, 10, 60, 1500, 2998, 2999].map((rank) => before[rank]?.itemId ?? '')
        for (const [n, id] of touched.entries()) {
          const itemPublicationDate = n % 2 === 0 ? '2020-01-01' : '2030-01-01'
          const answer = await update(fixture, contentType, id, { itemTitle: 'Changed', itemPublicationDate })
          t.equal(answer.status, 200, 'a write while the collection is read')
        }
        for (const itemPublicationDate of ['2020-01-02', '2030-01-02'])
          await create(fixture, contentType, { itemPublicationDate })
        hold.open()
        t.strictSame(await reading, before, 'the items when the request began')
        const after = await wholeOf(fixture, contentType)
        t.equal(after.length, MANY + 2)
        t.equal(after.filter(({ itemTitle }) => itemTitle === 'Changed').length, touched.length)
        t.equal(new Set(after.map(({ itemId }) => itemId)).size, MANY + 2)
        const pages = [0, 1200, 2400].map(async (offset) =>
          itemsIn(await fixture.call('GET', `/${contentType}/?lim=1200&offset=${offset}`, { as: 'manager' })),
        )
        t.strictSame((await Promise.all(pages)).flat(), after, 'large pages contain the same')
      },
    )

/** A store with an endless library, and counts of its reads. */
const makeEndless = (fails?: { readonly after: number; readonly error: Error }) => {
  const ended = Promise.withResolvers<void>()
  const batch: ReadonlyArray<LibraryItem> = numbers
    .slice(0, 50)
    .map((n) => ({ ...libraryItem(n, DRAFT), description: 'é'.repeat(1000) as LibraryItem['description'] }))
  const seen = { batches: 0 }
  const batches = async function* () {
    try {
      for (;;) {
        if (fails !== undefined && seen.batches >= fails.after) throw fails.error
        seen.batches += 1
        yield batch
        await nextTurn()
      }
    } finally {
      ended.resolve()
    }
  }
  const list: LibraryItems['list'] = () => TE.right({ batches: batches(), next: O.none })
  return {
    seen,
    ended: ended.promise,
    wrap: (ports: Ports): Ports => ({ ...ports, libraryItems: { ...ports.libraryItems, list } }),
  }
}

/** Minimum size of a batch of the endless library, in bytes. */
const BATCH_BYTES = 50 * 2000

/** Maximum number of bytes in the buffers of the kernel, of Node and of the stream. */
const BUFFERS = 24 * 1024 * 1024

t.test('C12: a stalled reader of a streamed collection is disconnected after ten minutes', async (t) => {
  const endless = makeEndless()
  const fixture = await startFixture(t.testdir(), { store: 'memory', wrap: endless.wrap })
  t.teardown(fixture.stop)
  const token = await fixture.token('manager')
  const connected = Promise.withResolvers<Socket>()
  fixture.app.server.once('connection', connected.resolve)
  const { hostname, port } = new URL(fixture.url)
  const reader = connect(Number(port), hostname)
  const closed = once(reader, 'close')
  reader.on('error', () => {})
  reader.write(`GET /library/ HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  await once(reader, 'readable')
  const connection = await connected.promise
  t.equal(connection.timeout, 600_000, 'ten minutes, not the one minute of other connections')

  const lines = fixture.lines.length
  connection.emit('timeout')
  reader.resume()
  await Promise.all([closed, endless.ended])
  await untilLines(fixture.lines, lines + 1)
  const [line] = readLines(fixture.lines.slice(lines))
  t.match(line, { route: '/library/', client: 'manager', msg: /^cut off: nothing moved/ })
})

t.test(
  'C12: an endless collection is streamed in bounded memory, at the pace of its reader, until that disconnects',
  async (t) => {
    const endless = makeEndless()
    const fixture = await startFixture(t.testdir(), { store: 'memory', wrap: endless.wrap })
    t.teardown(fixture.stop)
    const token = await fixture.token('manager')
    const { hostname, port, host } = new URL(fixture.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.write(`GET /library/ HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    const begun = Promise.withResolvers<Buffer>()
    socket.once('data', (chunk: Buffer) => {
      socket.pause()
      begun.resolve(chunk)
    })
    t.match((await begun.promise).toString(), /^HTTP\/1\.1 200 /)
    // Without backpressure the store would give a batch in every event-loop iteration; each call takes several iterations.
    for (let calls = 0; calls < 600; calls++) await (await fetch(`${fixture.url}/health/live`)).text()
    t.ok(endless.seen.batches * BATCH_BYTES < BUFFERS, `${endless.seen.batches} batches for a stalled reader`)
    socket.destroy()
    await endless.ended
    await untilLines(fixture.lines, 602)
    t.ok(
      readLines(fixture.lines).some(
        ({ msg, route }) => msg === 'aborted by the caller' && route === '/library/',
      ),
    )
  },
)

t.test('C12: HEAD of an endless collection gets a response and stops reading the database', async (t) => {
  const endless = makeEndless()
  const fixture = await startFixture(t.testdir(), { store: 'memory', wrap: endless.wrap })
  t.teardown(fixture.stop)
  const answer = await fixture.call('HEAD', '/library/', { as: 'manager' })
  t.equal(answer.status, 200)
  t.equal(await answer.text(), '')
  await endless.ended
})

t.test('C12: a collection that fails midway is not mistaken for a complete one', async (t) => {
  const endless = makeEndless({ after: 20, error: new Error('the disk is gone') })
  const fixture = await startFixture(t.testdir(), { store: 'memory', wrap: endless.wrap })
  t.teardown(fixture.stop)
  const answer = await fixture.call('GET', '/library/', { as: 'manager' })
  t.equal(answer.status, 200, 'the body had begun')
  await t.rejects(answer.text(), 'the connection closes before the end of the collection')
  await untilLines(fixture.lines, 2)
  t.match(readLines(fixture.lines).at(-1), { level: 50, err: { message: 'the disk is gone' } })
})

for (const version of ['1.0', '1.1'])
  t.test(`C12: a collection that fails midway resets the connection, over HTTP/${version} too`, async (t) => {
    const endless = makeEndless({ after: 20, error: new Error('the disk is gone') })
    const fixture = await startFixture(t.testdir(), { store: 'memory', wrap: endless.wrap })
    t.teardown(fixture.stop)
    const token = await fixture.token('manager')
    const { hostname, port } = new URL(fixture.url)
    const socket = connect(Number(port), hostname)
    socket.write(`GET /library/ HTTP/${version}\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    socket.resume()
    const [fault] = await once(socket, 'error')
    t.match(fault, { code: 'ECONNRESET' }, 'an orderly end would make the part that came look whole')
  })

t.test('C12: a collection that breaks off before any of it is sent is read again, once', async (t) => {
  const batch = numbers.slice(0, 50).map((n) => libraryItem(n, DRAFT))
  const COUNT = 20
  let breaks: ReadonlyArray<{ readonly after: number; readonly brokeOff: boolean }> = []
  let [readings, isRepeatable] = [0, true]
  const read = async function* () {
    const fault = breaks[readings]
    readings += 1
    for (let n = 0; n < COUNT; n += 1) {
      if (n === fault?.after)
        throw Object.assign(new Error('the standby is gone'), { _tag: 'Unavailable', ...fault })
      yield batch
    }
  }
  const list: LibraryItems['list'] = () =>
    TE.right({ batches: isRepeatable ? new RepeatableBatches(read) : read(), next: O.none })
  const wrap = (ports: Ports): Ports => ({ ...ports, libraryItems: { ...ports.libraryItems, list } })
  const fixture = await startFixture(t.testdir(), { store: 'memory', wrap })
  t.teardown(fixture.stop)
  const answerTo = async (...faults: typeof breaks) => {
    breaks = faults
    readings = 0
    const answer = await fixture.call('GET', '/library/', { as: 'manager' })
    const items = await answer.json().then(
      (body) => (body as { readonly items?: ReadonlyArray<unknown> }).items?.length,
      () => 'cut',
    )
    return { status: answer.status, items, readings }
  }
  const breakAfter = (after: number) => ({ after, brokeOff: true })
  const whole = { status: 200, items: COUNT * batch.length }
  const failed = { status: 503, items: undefined }
  for (const after of [0, 1, 2, 3]) {
    t.strictSame(await answerTo(breakAfter(after)), { ...whole, readings: 2 })
    t.strictSame(await answerTo(breakAfter(after), breakAfter(1)), { ...failed, readings: 2 })
    t.strictSame(await answerTo({ after, brokeOff: false }), { ...failed, readings: 1 })
  }
  const cut = { status: 200, items: 'cut', readings: 1 }
  t.strictSame(await answerTo(breakAfter(COUNT - 1)), cut, 'what was sent cannot be taken back')
  isRepeatable = false
  t.strictSame(
    await answerTo(breakAfter(2)),
    { ...failed, readings: 1 },
    'nor is a host port that reads once',
  )
})

t.test('C12: when a reader disconnects, reading from the database stops', async (t) => {
  const fixture = await startFixture(t.testdir())
  t.teardown(fixture.stop)
  await fill(fixture.ports, 'library', LARGE)
  // More readers that disconnect than there are connections for snapshots, then one that reads to the end.
  for (let n = 0; n < 20; n++) {
    const controller = new AbortController()
    const answer = await fetch(`${fixture.url}/library/`, {
      headers: { authorization: `Bearer ${await fixture.token('manager')}` },
      signal: controller.signal,
    })
    t.equal(answer.status, 200)
    controller.abort()
    await answer.body?.cancel().catch(() => {})
  }
  t.equal((await wholeOf(fixture, 'library')).length, LARGE)
})

onEachStore(t, 'C12: small collections have a Content-Length, large ones are chunked', async (t, fixture) => {
  await create(fixture, 'library')
  const small = await fixture.call('GET', '/library/', { as: 'manager' })
  t.equal(small.headers.get('content-length'), `${Buffer.byteLength(await small.text())}`)
  await fill(fixture.ports, 'library', LARGE)
  const large = await fixture.call('GET', '/library/', { as: 'manager' })
  t.equal(large.headers.get('content-length'), null)
  t.equal((await itemsIn(large)).length, LARGE + 1)
  const head = await fixture.call('HEAD', '/library/', { as: 'manager' })
  t.equal(head.headers.get('content-type'), large.headers.get('content-type'))
  t.equal(await head.text(), '')
})

t.test('C12: a reader that disconnects before the first chunk releases the snapshot', async (t) => {
  const [asked, gone, ended] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ]
  const item = libraryItem(1, DRAFT)
  /** A chunked collection whose first batch arrives after its reader has disconnected. */
  const batches = async function* () {
    try {
      asked.resolve()
      await gone.promise
      for (;;) yield Array.from({ length: 500 }, () => item)
    } finally {
      ended.resolve()
    }
  }
  const fixture = await startFixture(t.testdir(), {
    store: 'memory',
    wrap: (ports) => ({
      ...ports,
      libraryItems: { ...ports.libraryItems, list: () => TE.right({ batches: batches(), next: O.none }) },
    }),
  })
  t.teardown(fixture.stop)
  const token = await fixture.token('manager')
  fixture.app.server.once('connection', (socket) => socket.once('close', () => gone.resolve()))
  const { hostname, port } = new URL(fixture.url)
  const socket = connect(Number(port), hostname)
  socket.write(`GET /library/ HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  await asked.promise
  socket.destroy()
  await ended.promise
  t.pass('the collection is no longer read')
})
