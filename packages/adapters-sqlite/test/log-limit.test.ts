import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseUnavailable, type Db } from '@almoner/adapters-kysely'
import { done } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import { sql } from 'kysely'
import t from 'tap'
import { openSqlite } from '../src/index.ts'
import { oldestReaders } from '../src/log-holders.ts'
import { makeSnapshots } from '../src/snapshots.ts'
import { type LogLimit, makeLogRelease } from '../src/write-ahead-log.ts'
import { storeOf } from './store-of.ts'

// C12: a reader that takes long keeps the write-ahead log growing, and is ended only when the log is beyond its limit.

const LIMIT = 1024 * 1024

/** Rewrites a row with a text of this number of bytes: the database stays small, and the log takes all of it. */
const rewriteIn = (database: Awaited<ReturnType<typeof opened>>['database'], bytes = LIMIT / 4) =>
  done(
    database.write(async (db) => {
      const text = sql`hex(randomblob(${bytes / 2}))`
      return E.right(await sql`update label set en = ${text} where label_id = 'large'`.execute(db))
    }),
  )

const opened = async (file: string, { onEnded = () => {}, onHeld = () => {} }: Partial<LogLimit> = {}) => {
  await (await storeOf(file)).close()
  const database = await done(openSqlite({ file, logLimit: { bytes: LIMIT, onEnded, onHeld } }))
  await done(
    database.write(async (db) =>
      E.right(await sql`insert into label (label_id, en, fr, rank) values ('large', '', '', 0)`.execute(db)),
    ),
  )
  return { database }
}

/** Yields the length of the text, as one state of the database has it, for as long as it is read. */
async function* lengths(db: Db) {
  for (;;) {
    const { rows } = await sql<{ readonly n: number }>`select length(en) as n from label`.execute(db)
    yield rows[0]?.n
  }
}

/** A process that reads from the state that it found, until its standard input ends. */
const readingProcess = async (file: string) => {
  const script = `const database = new (require('node:sqlite').DatabaseSync)(process.argv[1])
    database.exec('begin')
    database.prepare('select count(*) from label').get()
    process.stdout.write('reading')
    process.stdin.resume()`
  const child = spawn(process.execPath, ['-e', script, file], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  const exited = once(child, 'exit')
  return {
    pid: child.pid ?? 0,
    end: async () => {
      child.stdin.end()
      await exited
    },
  }
}

t.test('the oldest collection is ended first, and only beyond the limit', async (t) => {
  const ended: Array<number> = []
  const file = join(t.testdir(), 'almoner.db')
  const { database } = await opened(file, { onEnded: (bytes) => ended.push(bytes) })
  const first = database.streamSnapshot(lengths)[Symbol.asyncIterator]()
  t.equal((await first.next()).value, 0)
  await rewriteIn(database)
  await rewriteIn(database)
  t.equal((await first.next()).value, 0, 'a reader within the limit goes on, with its state')
  t.strictSame(ended, [])
  for (let n = 0; n < 4; n += 1) await rewriteIn(database)
  await rewriteIn(database)
  t.equal(ended.length, 1)
  t.ok((ended[0] ?? 0) > LIMIT)
  t.ok(database.logBytes() < LIMIT, `${database.logBytes()} bytes are left`)
  await t.rejects(async () => first.next(), DatabaseUnavailable, 'what was cut is not taken for the whole')
  const next = database.streamSnapshot(lengths)[Symbol.asyncIterator]()
  t.equal((await next.next()).value, LIMIT / 4, 'the data are as they were written')
  await next.return?.()
  await database.close()
})

t.test('collections that overlap without a gap do not let the log grow', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  let ended = 0
  const { database } = await opened(file, {
    onEnded: () => {
      ended += 1
    },
  })
  let most = 0
  let open = database.streamSnapshot(lengths)[Symbol.asyncIterator]()
  await open.next()
  for (let n = 0; n < 24; n += 1) {
    const next = database.streamSnapshot(lengths)[Symbol.asyncIterator]()
    await next.next()
    await rewriteIn(database)
    await open.return?.()
    open = next
    most = Math.max(most, database.logBytes())
  }
  await open.return?.()
  t.ok(most < 3 * LIMIT, `${most} bytes at most, of ${24 * LIMIT} written`)
  t.ok(ended > 0)
  await database.close()
})

t.test('of several the one that has been read for longest is ended', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const { database } = await opened(file)
  const snapshots = makeSnapshots(
    file,
    () => {},
    () => {},
  )
  const streams = [1, 2, 3].map(() => snapshots.streamSnapshot(lengths)[Symbol.asyncIterator]())
  for (const stream of streams) await stream.next()
  t.equal(snapshots.streams(), 3)
  t.equal(await snapshots.endOldest(), true)
  const [first, second, third] = streams
  await t.rejects(async () => first?.next(), /too slow/)
  t.equal((await second?.next())?.done, false)
  t.equal((await third?.next())?.done, false)
  await second?.return?.()
  await third?.return?.()
  t.equal(await snapshots.endOldest(), false)
  await snapshots.close()
  await database.close()
})

t.test('pages, and what is read whole, are never ended', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const { database } = await opened(file)
  const read = database.readSnapshot(async (db) => {
    const before = (await lengths(db).next()).value
    for (let n = 0; n < 8; n += 1) await rewriteIn(database)
    return [before, (await lengths(db).next()).value]
  })
  t.strictSame(await done(read), [0, 0])
  await database.close()
})

t.test(
  'another process that reads from the oldest state is found, and no collection is ended for it',
  async (t) => {
    const file = join(t.testdir(), 'almoner.db')
    const ended: Array<number> = []
    const { database } = await opened(file, { onEnded: (bytes) => ended.push(bytes) })
    const other = await readingProcess(file)
    const isLinux = process.platform === 'linux'
    if (isLinux) t.match(oldestReaders(file), [{ pid: other.pid, command: /^node/ }])
    await rewriteIn(database)
    const own = database.streamSnapshot(lengths)[Symbol.asyncIterator]()
    await own.next()
    for (let n = 0; n < 8; n += 1) await rewriteIn(database)
    if (isLinux) {
      t.equal((await own.next()).value, LIMIT / 4)
      t.strictSame(ended, [])
    }
    await own.return?.()
    await other.end()
    await rewriteIn(database)
    await rewriteIn(database)
    t.ok(database.logBytes() < LIMIT)
    if (isLinux) t.strictSame(oldestReaders(file), [])
    await database.close()
  },
)

t.test('a look in the middle of a transaction ends no reader: the log cannot be emptied then', async (t) => {
  const look = makeLogRelease({
    bytes: () => 2 * LIMIT,
    truncate: async () => t.fail('empties the log'),
    endOldest: async () => t.fail('ends a reader'),
    oldest: () => [{ pid: process.pid, command: '' }],
    isWriting: () => true,
    limit: { bytes: LIMIT, onEnded: () => t.fail(), onHeld: () => t.fail() },
  })
  await look()
  t.pass()
})

t.test('a read of the process itself that holds the oldest state costs no collection', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  await (await storeOf(file)).close()
  const snapshots = makeSnapshots(
    file,
    () => {},
    () => {},
  )
  t.teardown(snapshots.close)
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const read = snapshots.readSnapshot(async () => {
    begun.resolve()
    await ended.promise
  })
  await begun.promise
  const stream = snapshots.streamSnapshot(async function* () {
    yield 1
  })
  const values = stream[Symbol.asyncIterator]()
  t.same(await values.next(), { value: 1, done: false })
  t.equal(await snapshots.endOldest(), false)
  ended.resolve()
  await read
  t.equal(await snapshots.endOldest(), true, 'now the collection is the oldest')
})

t.test('a process that stays in the way is reported once, and once it has gone', async (t) => {
  let [now, bytes] = [0, 2 * LIMIT]
  let holders: ReturnType<typeof oldestReaders> = [{ pid: 12, command: 'sqlite3 almoner.db' }]
  const reports: Array<unknown> = []
  const look = makeLogRelease(
    {
      bytes: () => bytes,
      truncate: async () => false,
      endOldest: async () => false,
      oldest: () => holders,
      isWriting: () => false,
      limit: { bytes: LIMIT, onEnded: () => t.fail(), onHeld: (...report) => reports.push(report) },
    },
    () => now,
  )
  await look()
  t.strictSame(reports, [], 'a sibling has some seconds to end its own')
  now = 5000
  await Promise.all([look(), look()])
  await look()
  t.strictSame(reports.splice(0), [[holders, 2 * LIMIT]])
  holders = undefined
  await look()
  now = 10_000
  await look()
  t.strictSame(reports.splice(0), [[[], 2 * LIMIT]], 'where the system does not say which it is')
  bytes = 0
  await look()
  await look()
  t.strictSame(reports, [[[], 0]])
})
