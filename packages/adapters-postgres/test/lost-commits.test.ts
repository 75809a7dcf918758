import { makeStore } from '@almoner/adapters-kysely'
import { type Cluster, type LostOfCommit, startProxy, startSmallCluster } from '@almoner/postgres-server'
import { done, failure, sampleId, sampleLibraryItem } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import t, { type Test } from 'tap'
import { SERVER_LIFE } from '../src/connect.ts'
import { engineOn, freshlyMigrated, migrate } from './store-of.ts'

// The connection is lost while a commit is under way: the service finds out what happened (I5).

const sample = (n: number) => sampleLibraryItem(n, { id: sampleId(n) })
const add = (n: number) => ({ item: sample(n), linksToImages: [] })

/** A store behind a proxy, and one before it. */
const behindProxy = async (t: Test) => {
  const { cluster, name, url } = await freshlyMigrated()
  const proxy = await startProxy(cluster)
  const [database, direct] = [await engineOn(proxy.url(name)), await engineOn(url)]
  t.teardown(async () => {
    await Promise.all([database.close(), direct.close()])
    await proxy.close()
  })
  return { cluster, proxy, database, store: makeStore(database), direct: makeStore(direct) }
}

/** Loses that of the next commit, and nothing of others. */
const once = (what: LostOfCommit, then = () => {}) => {
  let left: LostOfCommit = what
  return () => {
    const lost = left
    left = 'nothing'
    if (lost !== 'nothing') then()
    return lost
  }
}

t.test('I5: if the response to a commit is lost, the write succeeds and is not repeated', async (t) => {
  const { proxy, database, store, direct } = await behindProxy(t)
  await done(store.libraryItems.add(add(1)))
  let runs = 0
  proxy.loseOfCommits(once('answer'))
  await done(
    database.write(async (db) => {
      runs += 1
      await db
        .updateTable('library_item')
        .set(({ eb }) => ({ revision: eb('revision', '+', 10) }))
        .execute()
      return { _tag: 'Right', right: undefined }
    }),
  )
  t.equal(runs, 1)
  const found = await done(direct.libraryItems.find(sampleId(1)))
  t.equal(O.isSome(found) && found.value.revision, sample(1).revision + 10)
})

t.test('I5: if a commit itself is lost, the write is rolled back and repeated', async (t) => {
  const { proxy, store, direct } = await behindProxy(t)
  proxy.loseOfCommits(once('statement'))
  await done(store.libraryItems.add(add(1)))
  t.ok(O.isSome(await done(direct.libraryItems.find(sampleId(1)))))
})

t.test('I5: if all commits of a write are lost, it is Unavailable and nothing has changed', async (t) => {
  const { proxy, store, direct } = await behindProxy(t)
  proxy.loseOfCommits(() => 'statement')
  t.equal(await failure(store.libraryItems.add(add(1))), 'Unavailable')
  t.ok(O.isNone(await done(direct.libraryItems.find(sampleId(1)))))
})

t.test('K1, I5: a change has its record, also if the connection is lost at the commit', async (t) => {
  const { proxy, store, direct } = await behindProxy(t)
  const recorded = (n: number) => ({
    ...add(n),
    act: { actor: { kind: 'client', id: 'app' }, action: 'create' } as const,
  })
  const seen = async (n: number) => {
    const query = { contentType: 'library', itemId: sampleId(n) } as const
    const { loaded } = await done(
      direct.history.revisions(query, { lim: O.some(9), offset: 0, after: O.none }),
    )
    return [O.isSome(await done(direct.libraryItems.find(sampleId(n)))), loaded?.length]
  }
  proxy.loseOfCommits(once('answer'))
  await done(store.libraryItems.add(recorded(1)))
  t.strictSame(await seen(1), [true, 1], 'the answer was lost')
  proxy.loseOfCommits(once('statement'))
  await done(store.libraryItems.add(recorded(2)))
  t.strictSame(await seen(2), [true, 1], 'the commit was lost once')
  proxy.loseOfCommits(() => 'statement')
  t.equal(await failure(store.libraryItems.add(recorded(3))), 'Unavailable')
  t.strictSame(await seen(3), [false, 0], 'all commits were lost')
})

t.test('I5: the outcome is unknown only while no server can be queried', async (t) => {
  const cluster = await startSmallCluster()
  await cluster.createDatabase('almoner')
  await migrate(cluster.url('almoner'))
  const proxy = await startProxy(cluster)
  const database = await engineOn(proxy.url('almoner'))
  const store = makeStore(database)
  await done(store.libraryItems.add(add(1)))
  proxy.loseOfCommits(once('answer', () => void setImmediate(() => proxy.close())))
  const act = { actor: { kind: 'client', id: 'app' }, action: 'create' } as const
  t.equal(await failure(store.libraryItems.add({ ...add(2), act })), 'OutcomeUnknown')
  const [found] = await cluster.ask(
    'select (select count(*) from library_item)::int as items, (select count(*) from audit_record)::int as records',
    'almoner',
  )
  t.strictSame(found, { items: 2, records: 1 }, 'K1: the change has its record')
  await database.close()
  await cluster.stop()
})

const lifeOf = async (cluster: Cluster): Promise<unknown> =>
  (await cluster.ask(`select ${SERVER_LIFE} as life`))[0]?.['life']

t.test('I5: a transaction id of another server incarnation proves nothing', async (t) => {
  const { cluster, proxy, store } = await behindProxy(t)
  await done(store.libraryItems.add(add(1)))
  proxy.loseOfCommits(once('answer'))
  const before = await lifeOf(cluster)
  await cluster.ask("select pg_stat_reset_shared('bgwriter')")
  // PostgreSQL 14 shows its statistics up to half a second late.
  while ((await lifeOf(cluster)) === before);
  t.equal(await failure(store.libraryItems.add(add(2))), 'OutcomeUnknown')
})

t.test('I5: a crashed server has a new incarnation', async (t) => {
  const cluster = await startSmallCluster()
  const before = await lifeOf(cluster)
  t.ok(before)
  await cluster.restart()
  t.ok(await lifeOf(cluster))
  t.not(await lifeOf(cluster), before)
  await cluster.stop()
})
