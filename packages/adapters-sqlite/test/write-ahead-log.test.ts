import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { done } from '@almoner/testkit/contracts'
import Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import { sql } from 'kysely'
import t from 'tap'
import { makeLogTrim, sqliteLogBytes, TRUNCATE_PAST } from '../src/write-ahead-log.ts'
import { openWriter } from '../src/writer.ts'
import { type Opened, storeOf } from './store-of.ts'

/** Bytes of a write, which each become the same number of bytes in the log and a few more. */
const BYTES = 1024 * 1024

/** Writes of the test with other processes, and what the log may hold: as long as one of the first five attempts succeeds. */
const [WRITES, MOST] = [56, 3 * TRUNCATE_PAST]

/** Rewrites a row with another text each time: the database stays small, and the log takes all of it. */
const rewrite = ({ database }: Opened) =>
  done(
    database.write(async (db) => {
      const text = sql`hex(randomblob(${BYTES / 2}))`
      return E.right(await sql`update label set en = ${text} where label_id = 'large'`.execute(db))
    }),
  )

const opened = async (file: string) => {
  const store = await storeOf(file)
  await done(
    store.database.write(async (db) =>
      E.right(await sql`insert into label (label_id, en, fr, rank) values ('large', '', '', 0)`.execute(db)),
    ),
  )
  return store
}

/** A process that always has a reader open; the function that it gives ends it. */
const alwaysReading = async (file: string) => {
  const script = join(import.meta.dirname, 'processes', 'always-reading.ts')
  const child = spawn(process.execPath, [script, file], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  const exited = once(child, 'exit')
  return async () => {
    child.stdin.end()
    return (await exited)[0] as number | null
  }
}

t.test('the log stays small while several processes always have a reader open', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const store = await opened(file)
  const ends = [await alwaysReading(file), await alwaysReading(file)]
  let largest = 0
  for (let n = 0; n < WRITES; n += 1) {
    await rewrite(store)
    largest = Math.max(largest, store.database.logBytes())
  }
  t.ok(largest < MOST, `${largest} bytes at most, of ${WRITES * BYTES} written`)
  for (const end of ends) t.equal(await end(), 0)
  await store.close()
})

t.test('a log that this process makes smaller does not look as if another one had written', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const store = await opened(file)
  const reader = new Database(file, { readonly: true })
  reader.exec('begin; select * from label')
  await rewrite(store)
  const before = store.database.othersWrites()
  while (store.database.logBytes() < TRUNCATE_PAST) await rewrite(store)
  reader.close()
  while (store.database.logBytes() >= TRUNCATE_PAST) await rewrite(store)
  await rewrite(store)
  t.equal(store.database.othersWrites(), before)
  await store.close()

  const writer = await openWriter(file, () => {})
  const first = writer.version()
  for (let n = 0; n < 3; n += 1) {
    const statement = sql`update label set fr = ${n} where label_id = 'large'`
    await writer.write(async (db) => E.right(await statement.execute(db)))
    t.ok(sqliteLogBytes(file) > 0)
    t.ok(await writer.truncateLog())
    t.equal(sqliteLogBytes(file), 0)
    t.equal(writer.version(), first)
  }
  await writer.close()
})

t.test('a log that cannot be truncated is retried as it grows, less and less often', async (t) => {
  let size = 0
  let tries = 0
  const { trim } = makeLogTrim({
    bytes: () => size,
    pages: () => ({ all: 0, stored: 0 }),
    restart: async () => {},
    truncate: async () => {
      tries += 1
    },
  })
  const mebibyte = 1024 * 1024
  const triedAt = async (sizes: ReadonlyArray<number>) => {
    const tried: Array<number> = []
    for (const mebibytes of sizes) {
      const before = tries
      size = mebibytes * mebibyte
      await trim()
      if (tries > before) tried.push(mebibytes)
    }
    return tried
  }
  const sizes = [15, 16, 16.5, 17, 18, 19, 22, 23, 30, 31, 46, 47, 62, 63]
  t.strictSame(await triedAt(sizes), [16, 17, 19, 23, 31, 47, 63])
  t.strictSame(
    await triedAt([1, 16, 17]),
    [16, 17],
    'after another process has truncated it, it is checked again',
  )
})

t.test('pages of the log are brought into the database some thousand at a time', async (t) => {
  let pages = { all: 0, stored: 0 }
  const restarts: Array<number> = []
  const { trim } = makeLogTrim({
    bytes: () => 0,
    pages: () => pages,
    restart: async () => {
      restarts.push(pages.all)
    },
    truncate: async () => {},
  })
  for (const [all, stored] of [
    [999, 0],
    [1000, 0],
    [1001, 500],
    [1999, 500],
    [2000, 500],
    [30, 0],
    [1000, 0],
    [2000, 2000],
  ] as const) {
    pages = { all, stored }
    await trim()
  }
  t.strictSame(restarts, [1000, 2000, 1000], 'a reader that keeps pages costs an attempt each thousand')
})

t.test('the log of a symbolic link is that of the target', async (t) => {
  const folder = t.testdir()
  const file = join(folder, 'almoner.db')
  const store = await opened(file)
  symlinkSync(file, join(folder, 'link.db'))
  t.ok(sqliteLogBytes(file) > 0)
  t.equal(sqliteLogBytes(join(folder, 'link.db')), sqliteLogBytes(file))
  await store.close()
  t.equal(sqliteLogBytes(file), 0, 'none without a target')
})
