import { createHash } from 'node:crypto'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { attempt, type Database, makeStore } from '@almoner/adapters-kysely'
import { done, failure, SAMPLE_MOMENT, sampleDevice, sampleEmail } from '@almoner/testkit/contracts'
import Driver from 'better-sqlite3'
import t, { type Test } from 'tap'
import { makeErase } from '../src/erase.ts'
import { isErasureUnfinished, vacuumSqlite } from '../src/index.ts'
import { openWriter } from '../src/writer.ts'
import { openStore, storeOf } from './store-of.ts'

// L1: remains that cannot be removed now are removed later, and the person's address is known until then.

const PERSON = sampleEmail(1)

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const digestsIn = (file: string): ReadonlyArray<unknown> => {
  const database = new Driver(file, { readonly: true })
  const digests = database.prepare('select digest from unfinished_erasure').pluck().all()
  database.close()
  return digests
}

/** Why the log cannot be emptied, and whether that is a full disk. */
const CAUSES = [
  [new Driver.SqliteError('database or disk is full', 'SQLITE_FULL'), true],
  [new Driver.SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC'), false],
] as const

/** A file with a person, and erasing there while the log cannot be emptied. */
const withPerson = async (t: Test, cause: Error) => {
  const file = join(t.testdir(), 'almoner.db')
  const store = await storeOf(file)
  await done(store.devices.attach(sampleDevice(1)))
  await done(store.devices.attach(sampleDevice(2)))
  await store.close()
  const failing = async () => {
    const { database, close } = await openStore(file)
    const writer = await openWriter(file, () => {})
    const broken = { ...writer, truncateLog: () => Promise.reject(cause) }
    const { erase } = makeErase({ file, log: `${file}-wal`, writer: broken })
    const faulty: Database = { ...database, erase: (work, digest) => attempt(() => erase(work, digest)) }
    const { personalData } = makeStore(faulty)
    return {
      erase: (n: number) => personalData.erase(sampleEmail(n), SAMPLE_MOMENT)(),
      end: async () => {
        await writer.close()
        await close()
      },
    }
  }
  return { file, failing }
}

for (const [cause, isDiskFull] of CAUSES)
  t.test(`L1: an erasure is unfinished until a repeat removes the remains: ${cause.code}`, async (t) => {
    const { file, failing } = await withPerson(t, cause)
    const unfinished = { left: { _tag: 'ErasureUnfinished', isDiskFull, cause } }
    const { erase, end } = await failing()
    t.match(await erase(1), unfinished)
    t.match(await erase(1), unfinished, 'a repeat says so too')
    t.match(await erase(3), { left: { _tag: 'UserNotFound' } }, 'others are unknown')
    t.ok(await done(isErasureUnfinished(file)))
    t.strictSame(digestsIn(file), [digestOf(PERSON)])
    const sound = makeStore((await openStore(file)).database).personalData
    await end()
    await done(sound.erase(PERSON, SAMPLE_MOMENT))
    t.notOk(await done(isErasureUnfinished(file)))
    t.strictSame(digestsIn(file), [])
    t.equal(await failure(sound.erase(PERSON, SAMPLE_MOMENT)), 'UserNotFound')
    await done(sound.erase(sampleEmail(2), SAMPLE_MOMENT))
  })

t.test(
  'L1: a repeat succeeds where a start of the service has removed the remains, but not for ever',
  async (t) => {
    const [[cause]] = CAUSES
    const { file, failing } = await withPerson(t, cause)
    const { erase, end } = await failing()
    await erase(1)
    await erase(2)
    await end()
    const first = await openStore(file)
    t.notOk(await done(isErasureUnfinished(file)), 'the start has removed the remains')
    t.equal(digestsIn(file).length, 2)
    await first.close()
    const second = await openStore(file)
    t.strictSame(digestsIn(file), [], 'the next start forgets the address')
    t.equal(await failure(second.personalData.erase(sampleEmail(2), SAMPLE_MOMENT)), 'UserNotFound')
    await second.close()
  },
)

/** Resolves when a file without a lasting name is written in the folder of a database: what SQLite holds for a while. */
const temporaryFileIn = (t: Test, folder: string): Promise<void> =>
  new Promise((resolve) => {
    const watcher = watch(folder, (_, name) => {
      if (name?.startsWith('almoner.db') === false) resolve()
    })
    t.teardown(() => watcher.close())
  })

/** Fills a database with more than SQLite holds in memory, and with a remain of the person. */
const fill = (file: string): void => {
  const database = new Driver(file)
  database.pragma('secure_delete = off')
  database.exec(`with recursive n (i) as (select 1 union all select i + 1 from n where i < 40000)
    insert into label (label_id, en, fr, rank) select 'l' || i, hex(randomblob(300)), 'fr', i from n;
    create table other (text text); insert into other values ('${PERSON}'); drop table other`)
  database.close()
}

t.test('L1: what SQLite needs to rewrite a database lies beside it', async (t) => {
  const folder = t.testdir({ erased: {}, vacuumed: {} })
  const [erased, vacuumed] = [join(folder, 'erased', 'almoner.db'), join(folder, 'vacuumed', 'almoner.db')]
  for (const file of [erased, vacuumed]) {
    const store = await storeOf(file)
    await done(store.devices.attach(sampleDevice(1)))
    fill(file)
    const made = temporaryFileIn(t, join(file, '..'))
    if (file === erased) await done(store.personalData.erase(PERSON, SAMPLE_MOMENT))
    await store.close()
    if (file === vacuumed) await done(vacuumSqlite(file))
    await made
    t.pass(file)
  }
})
