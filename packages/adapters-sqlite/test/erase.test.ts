import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseUnavailable } from '@almoner/adapters-kysely'
import type { Email } from '@almoner/domain'
import { done, SAMPLE_MOMENT, sampleDevice, sampleEmail } from '@almoner/testkit/contracts'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { sql } from 'kysely'
import t from 'tap'
import { makeErase } from '../src/erase.ts'
import { openWriter, type Writer } from '../src/writer.ts'
import { openStore, storeOf } from './store-of.ts'

const fail = (cause: Error): never => {
  throw cause
}

// L1: the database file and its write-ahead log hold nothing of an erased person.

/** A token with the text of a person, which a search finds. */
const tokenOf = (n: number, version = 0) => `fcm:secret-of-${n}-${version}-${'x'.repeat(n % 90)}`

/** Returns the mark of an unfinished erasure; 0 without one. */
const markOf = (file: string): unknown => {
  const database = new Database(file, { readonly: true })
  const mark = database.pragma('user_version', { simple: true })
  database.close()
  return mark
}

const contains = (file: string, text: string): boolean =>
  [file, `${file}-wal`].some((path) => {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
    return size > 0 && readFileSync(path).includes(text)
  })

const device = (n: number, version = 0) =>
  sampleDevice(n, { token: tokenOf(n, version) as ReturnType<typeof sampleDevice>['token'] })

t.test('L1: after an erasure neither the file nor its log contains the address or a token', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const store = await storeOf(file)
  for (let n = 0; n < 300; n += 1) await done(store.devices.attach(device(n)))
  // Rows move within and between pages.
  for (let step = 0; step < 600; step += 1) {
    const n = (step * 7919) % 300
    const one = device(n, step % 3)
    if (step % 4 === 0) await store.devices.detach(one.email, one)()
    else await done(store.devices.attach(one))
    if (step % 5 === 0) await done(store.users.prefer(sampleEmail(n), { lang: step % 2 === 0 ? 'en' : 'fr' }))
  }
  for (let n = 0; n < 300; n += 15) {
    t.ok(contains(file, sampleEmail(n)))
    await done(store.personalData.erase(sampleEmail(n), SAMPLE_MOMENT))
    t.notOk(contains(file, sampleEmail(n)), `the address of ${n}`)
    for (const version of [0, 1, 2]) t.notOk(contains(file, tokenOf(n, version)), `a token of ${n}`)
    t.ok(contains(file, sampleEmail(n + 1)), 'others stay')
  }
  await store.close()
})

t.test('L1: an erasure leaves the locks by which other processes see that the file is open', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const [first, second] = [await storeOf(file), await storeOf(file)]
  t.teardown(() => Promise.all([first.close(), second.close()]))
  const { ino } = statSync(file)
  const isLocked = () =>
    readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .some((line) => line.includes(` ${process.pid} `) && line.includes(`:${ino} `))
  await done(first.devices.attach(device(1)))
  t.ok(isLocked())
  await done(first.personalData.erase(sampleEmail(1), SAMPLE_MOMENT))
  t.ok(isLocked())
})

t.test('L1: an erasure waits for a reader that keeps the log, and never answers before', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const store = await storeOf(file)
  await done(store.devices.attach(device(1)))
  const reader = new Database(file, { readonly: true })
  reader.exec('begin')
  reader.prepare('select * from person').all()
  const erasing = done(store.personalData.erase(sampleEmail(1), SAMPLE_MOMENT))
  const first = await Promise.race([
    erasing.then(() => 'erased'),
    done(store.users.prefer('other@example.org' as Email, {})).then(() => 'others write'),
  ])
  t.equal(first, 'others write')
  reader.exec('rollback')
  reader.close()
  await erasing
  t.notOk(contains(file, sampleEmail(1)))
  await store.close()
})

t.test('L1: an erasure that was interrupted is completed when the database is opened', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const store = await storeOf(file)
  await done(store.devices.attach(device(1)))
  await store.close()
  // As a process leaves it that is killed behind the commit, on a file that an earlier version wrote.
  const killed = new Database(file)
  killed.pragma('secure_delete = off')
  killed.exec('delete from device; delete from person; pragma user_version = 1')
  killed.close()
  t.ok(contains(file, tokenOf(1)))
  const after = await openStore(file)
  t.notOk(contains(file, tokenOf(1)))
  t.notOk(contains(file, sampleEmail(1)))
  await after.close()
  const closed = new Database(file, { readonly: true })
  t.equal(closed.pragma('user_version', { simple: true }), 0)
  closed.close()
})

t.test('L1: remains that an earlier version left in free space are removed', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const store = await storeOf(file)
  const old = new Database(file)
  old.pragma('secure_delete = off')
  old.exec(`create table other (text text); insert into other values ('${sampleEmail(1)}'); drop table other`)
  old.close()
  await done(store.devices.attach(device(1)))
  await done(store.personalData.erase(sampleEmail(1), SAMPLE_MOMENT))
  t.notOk(contains(file, sampleEmail(1)))
  await store.close()
})

t.test('L1: erasures at the same time all end, and change the version of permissions', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const store = await storeOf(file)
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8]
  for (const n of numbers) await done(store.devices.attach(device(n)))
  const before = store.database.version(['access'])
  await Promise.all(numbers.map((n) => done(store.personalData.erase(sampleEmail(n), SAMPLE_MOMENT))))
  t.not(store.database.version(['access']), before, 'clients may be unbound')
  for (const n of numbers) t.notOk(contains(file, sampleEmail(n)))
  await store.close()
})

t.test(
  'L1: remains that cannot be removed leave the erasure unfinished, and the next one removes them',
  async (t) => {
    const file = join(t.testdir(), 'almoner.db')
    await (await storeOf(file)).close()
    const writer = await openWriter(file, () => {})
    const log = `${file}-wal`
    const broken = { ...writer, truncateLog: async () => fail(new DatabaseUnavailable('disk full')) }
    const nothing = async () => E.right(['a text'])
    t.match(await makeErase({ file, log, writer: broken }).erase(nothing), {
      left: { _tag: 'ErasureUnfinished', isDiskFull: false, cause: { message: 'disk full' } },
    })
    t.not(markOf(file), 0)
    t.strictSame(await makeErase({ file, log, writer }).erase(async () => E.left('no')), E.left('no'))
    t.equal(markOf(file), 0)
    await writer.close()
  },
)

t.test('L1: a rejected erasure changes nothing, and leaves no mark', async (t) => {
  const { database, close } = await storeOf(join(t.testdir(), 'almoner.db'))
  t.strictSame(await database.erase(async () => E.left('no'))(), E.left('no'))
  const { rows } = await done(
    database.read((db) => sql<{ user_version: number }>`pragma user_version`.execute(db)),
  )
  t.strictSame(rows, [{ user_version: 0 }])
  await close()
})

/** A process with its own connection, whose erasure waits before each of its steps for the test. */
const steppedErasure = async (file: string, text: string) => {
  const writer = await openWriter(file, () => {})
  let [isKilled, isCommitted] = [false, false]
  let step: (() => void) | undefined
  /** Resolves when the erasure waits for its next step, or has ended. */
  let waits = Promise.withResolvers<void>()
  const before = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    step = resolve
    waits.resolve()
    await promise
    if (isKilled) throw new DatabaseUnavailable('killed')
  }
  const stepped: Pick<Writer, 'write' | 'truncateLog'> = {
    write: (work, options) => before().then(() => writer.write(work, options)),
    truncateLog: (wait) => before().then(() => writer.truncateLog(wait)),
  }
  const erase = async () => {
    await before()
    const work = async () => {
      isCommitted = true
      return E.right([text])
    }
    await makeErase({ file, log: `${file}-wal`, writer: stepped }).erase(work)
  }
  const ended = erase()
    .catch(() => {})
    .finally(() => {
      step = undefined
      waits.resolve()
    })
  await waits.promise
  const next = async (): Promise<void> => {
    const go = step
    if (go === undefined) return
    step = undefined
    waits = Promise.withResolvers()
    go()
    await waits.promise
  }
  return {
    next,
    kill: async (): Promise<void> => {
      isKilled = true
      while (step !== undefined) await next()
      await ended
    },
    isCommitted: () => isCommitted,
    mark: () => markOf(file),
    close: writer.close,
  }
}

/** Writes a text into free space, as an earlier version may have left it. */
const leaveRemain = (file: string, text: string): void => {
  const old = new Database(file)
  old.pragma('secure_delete = off')
  old.exec(`create table other (text text); insert into other values ('${text}'); drop table other`)
  old.close()
}

const ADDRESSES = ['first@example.org', 'second@example.org']

interface Interleaving {
  /** Which process takes its next step. */
  readonly steps: ReadonlyArray<number>
  /** Whether each of them leaves something that only rewriting the file removes. */
  readonly remains: ReadonlyArray<boolean>
}

/** Runs two erasures, kills both, and returns the erased addresses in a file without a mark. */
const leftUnmarked = async (
  file: string,
  { steps, remains }: Interleaving,
): Promise<ReadonlyArray<string>> => {
  new Database(file).exec('create table rows (n integer)').close()
  for (const address of ADDRESSES.filter((_, n) => remains[n])) leaveRemain(file, address)
  const processes = await Promise.all(ADDRESSES.map((address) => steppedErasure(file, address)))
  for (const n of steps) await processes[n]?.next()
  for (const one of processes) await one.kill()
  const isMarked = processes[0]?.mark() !== 0
  const left = ADDRESSES.filter((address, n) => processes[n]?.isCommitted() && contains(file, address))
  for (const one of processes) await one.close()
  return isMarked ? [] : left
}

t.test(
  'L1: erasures of two processes that are killed at any step leave no remain without a mark',
  async (t) => {
    const folder = t.testdir()
    let files = 0
    const property = fc.asyncProperty(
      fc.record({
        steps: fc.array(fc.nat({ max: 1 }), { minLength: 6, maxLength: 14 }),
        remains: fc.tuple(fc.boolean(), fc.boolean()),
      }),
      async (interleaving) => {
        files += 1
        const left = await leftUnmarked(join(folder, `${files}.db`), interleaving)
        if (left.length > 0) throw new Error(`without a mark: ${left.join(', ')}`)
      },
    )
    await fc.assert(property, { numRuns: 12 })
  },
)

/** Two processes on one file with a remain of the first address, each with an erasure that has begun and written nothing. */
const twoErasures = async (file: string) => {
  new Database(file).exec('create table rows (n integer)').close()
  leaveRemain(file, 'first@example.org')
  const first = await steppedErasure(file, 'first@example.org')
  const second = await steppedErasure(file, 'second@example.org')
  await first.next()
  await second.next()
  const finish = async ({ next }: typeof first) => {
    for (let step = 0; step < 8; step += 1) await next()
  }
  return { first, second, finish, close: () => Promise.all([first.close(), second.close()]) }
}

t.test('L1: an erasure that replaces the mark of another process rewrites the file', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const { first, second, finish, close } = await twoErasures(file)
  await first.next()
  await first.kill()
  const mark = first.mark()
  t.not(mark, 0, 'the first has committed')
  await second.next()
  t.not(second.mark(), mark, 'the second replaces its mark')
  t.ok(contains(file, 'first@example.org'))
  await finish(second)
  t.equal(second.mark(), 0)
  t.notOk(contains(file, 'first@example.org'))
  await close()
})

t.test('L1: an erasure leaves the mark of another process', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const { first, second, finish, close } = await twoErasures(file)
  await second.next()
  await first.next()
  const mark = first.mark()
  await finish(second)
  t.ok(contains(file, 'first@example.org'), 'the second has cleaned up after itself')
  t.equal(first.mark(), mark)
  await finish(first)
  t.equal(first.mark(), 0)
  t.notOk(contains(file, 'first@example.org'))
  await close()
})
