import { DatabaseUnavailable, type Db, makeStore, type ReadOptions } from '@almoner/adapters-kysely'
import type { ClientId, ItemId } from '@almoner/domain'
import type { TokenDigest } from '@almoner/domain/access'
import { collect, instant } from '@almoner/domain/values'
import { done, failure, sampleDevice, sampleId, sampleLibraryItem } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import t from 'tap'
import { faultOf, PostgresFault } from '../src/fault.ts'
import { openSession } from '../src/session.ts'
import { engineOn, freshlyMigrated, freshStore, storeOn } from './store-of.ts'

const item = sampleLibraryItem(1)

const add = async (store: Awaited<ReturnType<typeof freshStore>>, ...numbers: ReadonlyArray<number>) => {
  for (const n of numbers)
    await done(store.libraryItems.add({ item: sampleLibraryItem(n, { id: sampleId(n) }), linksToImages: [] }))
}

const rename = (db: Db, id: ItemId, revision: number) =>
  db.updateTable('library_item').set({ revision }).where('id', '=', id).execute()

t.test('a Left rolls the transaction back; so does a throw, which stays an exception', async (t) => {
  const { libraryItems, database, close } = await freshStore()
  await done(libraryItems.add({ item, linksToImages: [] }))
  const left = await database.write(async (db) => {
    await rename(db, item.id, 9)
    return E.left('no')
  })()
  t.strictSame(left, E.left('no'))
  const bug = database.write(async (db) => {
    await rename(db, item.id, 9)
    throw new Error('a bug')
  })()
  await t.rejects(bug, /a bug/)
  t.match(await done(libraryItems.find(item.id)), { value: { revision: 1 } })
  await close()
})

t.test('violated constraints are bugs, reported without the values in them', async (t) => {
  const store = await freshStore()
  await done(store.libraryItems.add({ item, linksToImages: [] }))
  await t.rejects(store.libraryItems.add({ item, linksToImages: [] })(), /unique.*23505/)
  const token = { digest: '0' as TokenDigest, clientId: 'x' as ClientId, scopes: [], expiresAt: instant(0) }
  await t.rejects(store.accessTokens.add(token)(), /foreign key.*23503/)
  const device = { ...sampleDevice(1), attachedAt: null as never, token: 'a-secret-token' as never }
  const fault = await store.devices
    .attach(device)()
    .catch((cause: unknown) => cause)
  t.ok(fault instanceof PostgresFault && fault.code === '23502')
  t.notMatch(
    JSON.stringify(Object.getOwnPropertyNames(fault).map((name) => (fault as never)[name])),
    /secret/,
  )
  t.strictSame(await done(store.libraryItems.find(item.id)), O.some(item), 'the database still works')
  await store.close()
})

t.test('connection, resource, operator and foreign rollback errors mean unavailable', async (t) => {
  const { DatabaseError } = (await import('pg')).default
  const fault = (code: string) => faultOf(Object.assign(new DatabaseError('', 0, 'error'), { code }))
  for (const code of [
    '08006',
    '57P01',
    '57014',
    '53300',
    '55P03',
    '40001',
    '40P01',
    '25006',
    '26000',
    '42P05',
    '28P01',
    '58030',
  ])
    t.ok(fault(code) instanceof DatabaseUnavailable, code)
  for (const code of ['42601', '42P01', '23514', '22P02', '22021', '0A000'])
    t.ok(fault(code) instanceof PostgresFault, code)
})

t.test(
  'the name of a prepared statement follows from its text, in whichever order sessions prepare them',
  async (t) => {
    const { cluster, name } = await freshlyMigrated()
    const texts = ['select $1::int as one', 'select $1::int + 1 as two', 'select $1::text as three']
    const preparedIn = async (order: ReadonlyArray<string>) => {
      const session = await openSession({ connectionString: cluster.url(name) })
      for (const text of order) await session.ask(text, [1])
      const { rows } = await session.ask(
        'select name, statement from pg_prepared_statements order by statement',
      )
      session.end()
      return rows
    }
    const first = await preparedIn(texts)
    t.equal(new Set(first.map((row) => row['name'])).size, texts.length)
    t.strictSame(await preparedIn(texts.toReversed()), first)
  },
)

t.test('a statement that was prepared before its table changed is prepared again', async (t) => {
  const { url, cluster, name } = await freshlyMigrated()
  const { database, close } = await storeOn(url)
  const columns = () =>
    done(database.read((db) => sql`select * from person where 1 = ${1}`.execute(db))).then(
      ({ rows }) => Object.keys(rows[0] ?? {}).length,
    )
  await cluster.ask("insert into person values ('a@example.org', 'en', 1)", name)
  const before = await columns()
  await cluster.ask('alter table person add column more integer', name)
  t.equal(await columns(), before + 1)
  await close()
})

t.test('of two transactions in a deadlock both succeed, because one is repeated', async (t) => {
  const store = await freshStore()
  await add(store, 1, 2)
  const met = Promise.withResolvers<void>()
  let arrived = 0
  let runs = 0
  const crossing = (first: number, second: number) =>
    done(
      store.database.write(async (db) => {
        runs += 1
        await rename(db, sampleId(first), runs)
        arrived += 1
        if (arrived === 2) met.resolve()
        await met.promise
        await rename(db, sampleId(second), runs)
        return E.right(undefined)
      }),
    )
  t.strictSame(await Promise.all([crossing(1, 2), crossing(2, 1)]), [undefined, undefined])
  t.equal(runs, 3)
  await store.close()
})

t.test('a row that another transaction inserts first is seen by the repetition', async (t) => {
  const store = await freshStore()
  let runs = 0
  const result = await store.database.write(async (db) => {
    runs += 1
    const found = await db.selectFrom('library_item').select('id').where('id', '=', item.id).execute()
    if (found.length > 0) return E.left('is there')
    await done(store.libraryItems.add({ item, linksToImages: [] }))
    await db
      .insertInto('label')
      .values({ label_id: 'a', en: 'a', fr: 'a', rank: 0 } as never)
      .execute()
    await sql`insert into library_item select * from library_item where id = ${item.id}`.execute(db)
    return E.right(undefined)
  })()
  t.strictSame([result, runs], [E.left('is there'), 2])
  t.strictSame(await done(store.labels.all()), [], 'nothing of the first attempt is left')
  await store.close()
})

t.test(
  'C12: a limited number of collections is read at a time, some wait, and more are Unavailable',
  async (t) => {
    const store = await freshStore()
    await done(
      store.database.write(async (db) =>
        E.right(
          await sql`insert into person select 'r' || n, 'en', 1 from generate_series(1, 300) as n`.execute(
            db,
          ),
        ),
      ),
    )
    const begun = async () => {
      const iterator = store.users.all()[Symbol.asyncIterator]()
      await iterator.next()
      return iterator
    }
    const reading = await Promise.all(Array.from({ length: 8 }, begun))
    // Which of them comes last is up to the connections that they begin on.
    const refused = Promise.withResolvers<unknown>()
    const waiting = Array.from({ length: 65 }, () =>
      collect({ batches: store.users.all(), next: O.none }).catch((cause: unknown) => {
        refused.resolve(cause)
        return []
      }),
    )
    t.ok((await refused.promise) instanceof DatabaseUnavailable)
    t.ok(await done(store.portfolio.content()), 'reads at our own pace do not wait for them')
    for (const iterator of reading) await iterator.return?.()
    const lengths = (await Promise.all(waiting)).map(({ length }) => length)
    t.strictSame(
      lengths.toSorted((a, b) => a - b),
      [0, ...Array.from({ length: 64 }, () => 300)],
    )
    await store.close()
  },
)

t.test('a database that cannot store every text is Unavailable', async (t) => {
  const { cluster } = await freshlyMigrated()
  await cluster.ask(`create database latin template template0 encoding 'LATIN1' locale 'C'`)
  await t.rejects(engineOn(cluster.url('latin')), { cause: { cause: { message: /UTF8/ } } })
})

t.test('closing finishes writes; afterwards everything is Unavailable', async (t) => {
  const database = await engineOn((await freshlyMigrated()).url)
  const { libraryItems } = makeStore(database)
  const writes = [1, 2, 3].map((n) =>
    libraryItems.add({ item: sampleLibraryItem(n, { id: sampleId(n) }), linksToImages: [] })(),
  )
  await Promise.race(writes)
  const closed = database.close()
  t.strictSame(await Promise.all(writes), [E.right(undefined), E.right(undefined), E.right(undefined)])
  await closed
  t.equal(await failure(libraryItems.find(item.id)), 'Unavailable')
  t.equal(await failure(libraryItems.add({ item, linksToImages: [] })), 'Unavailable')
  t.strictSame(await database.close(), undefined, 'closing twice has the effect of closing once')
})

t.test('counting whole tables runs without the short statement timeout, on its own connection', async (t) => {
  const { url } = await freshlyMigrated()
  const store = await storeOn(url)
  const timeout = sql<{ limit: string }>`select current_setting('statement_timeout') as limit`
  const limitOf = (options?: ReadOptions) =>
    done(store.database.readSnapshot(async (db) => (await timeout.execute(db)).rows[0]?.limit, options))
  t.strictSame(
    [await limitOf(), await limitOf({ timeout: 'none' }), await limitOf()],
    ['3500ms', '2min', '3500ms'],
  )
  // Instead of millions of devices: a table that only statements with the long timeout can read.
  const statements = [
    'alter table device rename to device_rows',
    `create function has_time() returns boolean language plpgsql as $$ begin
      if current_setting('statement_timeout') <> '2min' then raise 'canceling statement' using errcode = '57014'; end if;
      return true;
    end $$`,
    'create view device as select * from device_rows where has_time()',
    `insert into person values ('a@example.org', 'en', 1)`,
    `insert into device_rows (token_digest, token, email, kind, attached_at, epoch, lang, subscribed)
      values ('a', 'a', 'a@example.org', 'fcm', 0, 1, 'en', 1)`,
  ]
  await done(
    store.database.write(async (db) => {
      for (const statement of statements) await sql.raw(statement).execute(db)
      return E.right(undefined)
    }),
  )
  await t.rejects(
    collect(store.devices.ofUser('a@example.org' as never)),
    DatabaseUnavailable,
    'other connections have the timeout',
  )
  t.strictSame((await done(store.statistics.survey([]))).devices, [{ kind: 'fcm', count: 1 }])
  t.match(await done(store.devices.audience({ lang: 'en', labelId: O.none })), { fcm: 1 })
  await store.close()
})
