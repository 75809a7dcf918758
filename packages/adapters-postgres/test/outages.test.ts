import { type Db, makeStore } from '@almoner/adapters-kysely'
import { collect, WHOLE_COLLECTION } from '@almoner/domain/values'
import { startProxy, startSmallCluster, startStandby } from '@almoner/postgres-server'
import { done, failure, sampleId, sampleLibraryItem } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { engineOn, migrate } from './store-of.ts'

// What becomes of connections must not be seen where it need not, is Unavailable where it must, and mends by itself.

const sample = (n: number) => sampleLibraryItem(n, { id: sampleId(n) })

/** A store on a separate server with the current schema. */
const onServer = async () => {
  const cluster = await startSmallCluster()
  await cluster.createDatabase('almoner')
  await migrate(cluster.url('almoner'))
  return cluster
}

const works = async (store: Pick<ReturnType<typeof makeStore>, 'libraryItems'>, n: number) => {
  await done(store.libraryItems.add({ item: sample(n), linksToImages: [] }))
  return O.isSome(await done(store.libraryItems.find(sampleId(n))))
}

t.test('reads and writes continue after all connections were cut', async (t) => {
  const cluster = await onServer()
  const database = await engineOn(cluster.url('almoner'))
  const store = makeStore(database)
  t.ok(await works(store, 1))
  for (const n of [2, 3]) {
    await cluster.ask('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()')
    t.ok(await works(store, n))
  }
  let runs = 0
  const written = await database.write(async (db) => {
    runs += 1
    if (runs === 1)
      await cluster.ask(
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()',
      )
    await db.updateTable('library_item').set({ revision: 7 }).execute()
    return E.right(runs)
  })()
  t.strictSame(written, E.right(2), 'also one whose transaction was rolled back midway')
  await database.close()
  await cluster.stop()
})

t.test('while connections are cut again and again, no read fails, and no write', async () => {
  const cluster = await onServer()
  const proxy = await startProxy(cluster)
  const database = await engineOn(proxy.url('almoner'))
  await done(makeStore(database).libraryItems.add({ item: sample(1), linksToImages: [] }))
  // Listens, and notifies of each write.
  database.version()
  const rows = (db: Db) => db.selectFrom('library_item').select('id').execute()
  const write = database.write(async (db) => {
    await db.updateTable('library_item').set({ revision: 2 }).execute()
    return E.right(await rows(db))
  })
  const ways = {
    read: () => done(database.read(rows)),
    snapshot: () => done(database.readSnapshot(rows)),
    count: () => done(database.readSnapshot(rows, { timeout: 'none' })),
    'stream before its first value': async () => {
      for await (const row of database.streamSnapshot(async function* (db) {
        yield* await rows(db)
      }))
        return [row]
      return []
    },
    write: () => done(write),
  }
  const cuts = {
    'by the network': async () => proxy.cut(),
    'with a reset': async () => void proxy.resetOne(),
    'by the server': () =>
      cluster.ask('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()'),
  }
  const oneOf = <A extends object>(table: A) =>
    fc.constantFrom(...(Object.keys(table) as Array<keyof A & string>))
  const cut = fc.record({ how: oneOf(cuts), turns: fc.nat(300) })
  await fc.assert(
    fc.asyncProperty(
      fc.array(oneOf(ways), { minLength: 1, maxLength: 12 }),
      fc.array(cut, { minLength: 1, maxLength: 3 }),
      async (work, list) => {
        const results = Promise.all(work.map((way) => ways[way]()))
        const cutting = async () => {
          for (const { how, turns } of list) {
            for (let n = 0; n < turns; n += 1) await new Promise(setImmediate)
            await cuts[how]()
          }
        }
        const [found] = await Promise.all([results, cutting()])
        for (const each of found) if (each.length !== 1) throw new Error('an item is missing')
      },
    ),
    { numRuns: 60 },
  )
  await database.close()
  await proxy.close()
  await cluster.stop()
})

t.test('C12: a collection that breaks off says so, and is whole when it is read again', async (t) => {
  const cluster = await onServer()
  const proxy = await startProxy(cluster)
  const database = await engineOn(proxy.url('almoner'))
  const { libraryItems } = makeStore(database)
  for (let n = 0; n < 400; n += 1) await done(libraryItems.add({ item: sample(n), linksToImages: [] }))
  const query = { visibility: { kind: 'everything' as const }, lang: O.none }
  const isWhole = async ({ batches }: { readonly batches: AsyncIterable<ReadonlyArray<{ id: string }>> }) => {
    const readUntilCut = async () => {
      for await (const _ of batches) proxy.cut()
    }
    const fault: unknown = await readUntilCut().catch((cause) => cause)
    t.match(fault, { _tag: 'Unavailable', brokeOff: true })
    const ids: Array<string> = []
    for await (const batch of batches) ids.push(...batch.map(({ id }) => id))
    return ids.length === 400 && new Set(ids).size === 400
  }
  t.ok(await isWhole(await done(libraryItems.list(query, WHOLE_COLLECTION))))
  const counted = await done(libraryItems.list(query, WHOLE_COLLECTION, true))
  t.equal(counted.total, 400)
  t.ok(await isWhole(counted))
  await done(libraryItems.add({ item: sample(400), linksToImages: [] }))
  await t.rejects(collect(counted), /has changed since it was counted/, 'the total would be wrong')
  await database.close()
  await proxy.close()
  await cluster.stop()
})

t.test('a restarted server is used again', async (t) => {
  const cluster = await onServer()
  const database = await engineOn(cluster.url('almoner'))
  const store = makeStore(database)
  t.ok(await works(store, 1))
  await cluster.stop()
  t.equal(await failure(store.libraryItems.find(sampleId(1))), 'Unavailable')
  t.equal(await failure(store.libraryItems.add({ item: sample(2), linksToImages: [] })), 'Unavailable')
  await cluster.restart()
  t.ok(await works(store, 2))
  t.ok(O.isSome(await done(store.libraryItems.find(sampleId(1)))), 'with all its data')
  await database.close()
  await cluster.stop()
})

t.test('a promoted standby is used, behind one address or in a list', async (t) => {
  const first = await onServer()
  const second = await startStandby(first)
  const proxy = await startProxy(first)
  const several = `postgres://almoner@${[first, second].map(({ socket }) => encodeURIComponent(socket)).join(',')}/almoner`
  const engines = [await engineOn(proxy.url('almoner')), await engineOn(several)]
  const stores = engines.map(makeStore)
  for (const [n, store] of stores.entries()) t.ok(await works(store, n))
  await second.catchUp()

  await first.stop()
  proxy.moveTo(second)
  for (const store of stores)
    t.equal(
      await failure(store.libraryItems.add({ item: sample(9), linksToImages: [] })),
      'Unavailable',
      'a standby accepts none',
    )
  await second.promote()
  for (const [n, store] of stores.entries()) {
    t.ok(await works(store, 10 + n))
    t.ok(O.isSome(await done(store.libraryItems.find(sampleId(n)))), 'with all committed data')
  }
  for (const database of engines) await database.close()
  await proxy.close()
  await second.stop()
})

t.test('a server that hangs makes requests fail, and works again when it continues', async (t) => {
  const cluster = await onServer()
  const database = await engineOn(cluster.url('almoner'))
  const store = makeStore(database)
  t.ok(await works(store, 1))
  await cluster.pause()
  const refused = await Promise.all([
    failure(store.libraryItems.find(sampleId(1))),
    failure(store.libraryItems.add({ item: sample(2), linksToImages: [] })),
    failure(store.portfolio.content()),
  ])
  t.strictSame(refused, ['Unavailable', 'Unavailable', 'Unavailable'])
  cluster.resume()
  t.ok(await works(store, 3))
  await database.close()
  await cluster.stop()
})
