import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientId, Email } from '@almoner/domain'
import type { IdempotencyKey } from '@almoner/domain/access'
import type { DeviceToken } from '@almoner/domain/people'
import { done, SAMPLE_MOMENT, sampleDevice, sampleFeedItem } from '@almoner/testkit/contracts'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { hasRemains } from '../src/remains.ts'
import { storeOf } from './store-of.ts'

// L1: an erasure looks for whole values outside of the rows, so that a part of a stored text rewrites nothing and no remain is missed.

/** Grows with each rewriting of the file. */
const schemaVersion = (file: string): unknown => {
  const database = new Database(file, { readonly: true })
  const version = database.pragma('schema_version', { simple: true })
  database.close()
  return version
}

const contains = (file: string, text: string): boolean =>
  [file, `${file}-wal`].some((path) => readFileSync(path).includes(text))

/** Parts of addresses and tokens, such as can stand beside them in a row or in JSON. */
const part = fc.string({
  unit: fc.constantFrom('a', 'n', 'jo', '1', '.', '-', '+', '@', 'é', 'en', 'fcm'),
  maxLength: 3,
})

t.test('L1: erasing an address or token that is a part of others rewrites no file', async (t) => {
  const file = join(t.testdir(), 'almoner.db')
  const store = await storeOf(file)
  let people = 0
  const attach = (email: string, token: string) => {
    const device = sampleDevice(people, { email: email as Email, token: token as DeviceToken })
    people += 1
    return done(
      store.devices.attach(device, {
        ...{
          clientId: 'app' as ClientId,
          key: `key ${people}` as IdempotencyKey,
          digest: '',
          at: SAMPLE_MOMENT,
        },
        ...{ about: O.some(device.email), token: device.token },
        responseTo: () => ({
          ...{ status: 200, contentType: O.none, etag: O.none },
          body: JSON.stringify({ token: { email, device_token: token } }),
        }),
      }),
    )
  }
  const property = fc.asyncProperty(
    fc.uniqueArray(fc.tuple(part, part), {
      minLength: 1,
      maxLength: 6,
      selector: (parts) => parts.join('|'),
    }),
    async (parts) => {
      const name = `ann${people}@x.org`
      const token = `fcm:{"token":"é${people}"}`
      const others = parts.filter((around) => around.join('') !== '')
      for (const [before, after] of others)
        await attach(`${before}${name}${after}`, `${before}${token}${after}`)
      await attach(name, token)
      const item = sampleFeedItem(people, { description: `Write to ${name}` as never })
      await done(store.feedItems.add({ item, linksToImages: [] }))
      const version = schemaVersion(file)
      await done(store.personalData.erase(name as Email, SAMPLE_MOMENT))
      const left = await Promise.all(
        others.map(async ([before, after]) =>
          O.isSome(await done(store.users.find(`${before}${name}${after}` as Email))),
        ),
      )
      return schemaVersion(file) === version && left.every(Boolean)
    },
  )
  await t.resolves(fc.assert(property, { numRuns: 12 }))
  await store.close()
})

/** Statements that leave a text outside of the rows of a file, beside rows that contain it. */
const REMAINS: Readonly<Record<string, (text: string) => ReadonlyArray<string>>> = {
  'a deleted row': (text) => [`insert into t values ('${text}')`, `delete from t where a = '${text}'`],
  'a row that is shorter since': (text) => [
    `insert into t values ('${text}${'-'.repeat(60)}')`,
    `update t set a = 'short' where a like '%---'`,
  ],
  'an entry of an index': (text) => [
    'create index t_a on t (a)',
    `insert into t values ('${text}')`,
    `delete from t where a = '${text}'`,
  ],
  'a table that is dropped': (text) => [
    'create table other (a text)',
    `insert into other values ('${text}')`,
    'drop table other',
  ],
  'the end of a page that another long row has taken': (text) => [
    `begin; insert into t values ('${'x'.repeat(5000)}${text}')`,
    `delete from t where a like 'xxx%'; insert into t values ('${'y'.repeat(4500)}'); commit`,
  ],
  'a token in JSON': (text) => [
    `insert into t values ('${JSON.stringify({ text })}')`,
    `delete from t where a like '{%'`,
  ],
}

for (const [name, statements] of Object.entries(REMAINS))
  for (const text of ['ann@x.org', 'fcm:{"quoted":"token"}'])
    t.test(`L1: ${name} leaves ${text}, which is found`, async (t) => {
      const file = join(t.testdir(), 'some.db')
      const paths = { file, log: `${file}-wal` }
      const database = new Database(file)
      database.pragma('secure_delete = off')
      database.exec('create table t (a text)')
      const beside = `jo${text}`
      database.exec(`insert into t values ('${beside}'), ('${'z'.repeat(6000)}${beside}')`)
      t.notOk(await hasRemains(paths, [text]), 'rows that contain it are none')
      for (const statement of statements(text)) database.exec(statement)
      t.ok(await hasRemains(paths, [text]))
      t.notOk(await hasRemains(paths, ['another@x.org']))
      database.exec('vacuum')
      t.notOk(await hasRemains(paths, [text]))
      database.close()
    })

t.test('L1: a remain is found in the write-ahead log, and none in the rows of its pages', async (t) => {
  const file = join(t.testdir(), 'some.db')
  const paths = { file, log: `${file}-wal` }
  const database = new Database(file)
  database.exec(`pragma journal_mode = wal; pragma secure_delete = off; create table t (a text)`)
  database.pragma('wal_checkpoint(truncate)')
  database.exec(`insert into t values ('joann@x.org')`)
  t.notOk(await hasRemains(paths, ['ann@x.org']))
  database.exec(`insert into t values ('ann@x.org'); delete from t where a = 'ann@x.org'`)
  t.ok(await hasRemains(paths, ['ann@x.org']))
  database.close()
})

const TABLES = [
  'create table t (k integer primary key, a text, b text)',
  'create table t (k integer, a text, b text, primary key (a, b, k)) without rowid',
  'create table t (k integer primary key, a text, b text); create index t_b on t (b, a)',
]

const value = fc
  .tuple(fc.nat(40), fc.constantFrom(3, 30, 300, 3000))
  .map(([n, length]) => `<${n}>`.padEnd(length, 'x'))
const step = fc.record({ at: fc.nat(30), a: value, b: value, isDeleted: fc.boolean() })
type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

/** Writes and deletes rows of a new file. Returns the texts of the rows that are left. */
const fillFile = (file: string, schema: string, isSecure: boolean, steps: ReadonlyArray<Step>): string => {
  const database = new Database(file)
  database.exec(`pragma secure_delete = ${isSecure ? 'on' : 'off'}; pragma synchronous = off; ${schema}`)
  for (const { at, a, b, isDeleted } of steps) {
    database.prepare('delete from t where k = ?').run(at)
    if (!isDeleted) database.prepare('insert into t values (?, ?, ?)').run(at, a, b)
  }
  const rows = database.prepare<[], string>('select a || b from t').pluck().all().join()
  database.close()
  return rows
}

/** Whether a search gives what the bytes of the file say. Of a text that rows contain, they do not say whether it is elsewhere too. */
const isRight = async (file: string, rows: string, text: string): Promise<boolean> => {
  const found = await hasRemains({ file, log: `${file}-wal` }, [text])
  const isThere = readFileSync(file).includes(text)
  return rows.includes(text) ? isThere : found === isThere
}

t.test('L1: a text is found exactly if the file holds it outside of rows', async (t) => {
  const folder = t.testdir()
  let files = 0
  const property = fc.asyncProperty(
    fc.constantFrom(...TABLES),
    fc.boolean(),
    fc.array(step, { minLength: 5, maxLength: 60 }),
    async (schema, isSecure, steps) => {
      files += 1
      const file = join(folder, `${files}.db`)
      const rows = fillFile(file, schema, isSecure, steps)
      for (let n = 0; n <= 40; n += 1) if (!(await isRight(file, rows, `<${n}>`))) return false
      return true
    },
  )
  await t.resolves(fc.assert(property, { numRuns: 15 }))
})

t.test(
  'L1: after an erasure beside addresses that contain it, each one left is a part of another',
  async (t) => {
    const file = join(t.testdir(), 'almoner.db')
    const store = await storeOf(file)
    const emails = Array.from({ length: 60 }, (_, n) => `ann${(n * 71) % 60}@x.org` as Email)
    const attach = (email: string, n: number) =>
      done(
        store.devices.attach(
          sampleDevice(n, { email: email as Email, token: `fcm:${email}.${n}` as DeviceToken }),
        ),
      )
    for (const [n, email] of emails.entries()) {
      await attach(email, n)
      await attach(`jo${email}`, n + 1000)
      if (n % 3 === 0) await done(store.users.prefer(email, { lang: 'fr' }))
    }
    for (const email of emails.slice(0, 10)) {
      await done(store.personalData.erase(email, SAMPLE_MOMENT))
      t.notMatch(readFileSync(file, 'latin1').replaceAll(`jo${email}`, ''), email)
      t.ok(contains(file, `jo${email}`))
    }
    await store.close()
  },
)
