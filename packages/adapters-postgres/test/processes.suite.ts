import { MIGRATIONS, makeMigrator } from '@almoner/adapters-kysely'
import { EVERYTHING } from '@almoner/domain'
import { collect, done, sampleFeedItem, sampleId } from '@almoner/domain/contracts'
import { sharedCluster } from '@almoner/loopback-postgres'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { clock, engineOn, freshStore, storeOn } from './store-of.ts'

t.test('of several that migrate at the same time one does: each migration is applied once', async (t) => {
  const cluster = await sharedCluster()
  await cluster.createDatabase('empty')
  const engines = await Promise.all([1, 2, 3].map(() => engineOn(cluster.url('empty'))))
  const applied = await Promise.all(
    engines.map((engine) => done(makeMigrator(engine, clock, MIGRATIONS).migrate())),
  )
  t.strictSame(
    applied.flat(),
    MIGRATIONS.map(({ name }) => name),
  )
  for (const engine of engines) await engine.close()
})

t.test('nodes write at the same time, and none of it is lost', async (t) => {
  const store = await freshStore()
  const nodes = [store, await storeOn(store.url), await storeOn(store.url)]
  const adds = nodes.flatMap(({ feedItems }, node) =>
    Array.from({ length: 100 }, (_, n) => {
      const item = sampleFeedItem(n, { id: sampleId(1000 * node + n) })
      return done(feedItems.add({ item, mentions: [] }))
    }),
  )
  await Promise.all(adds)
  const query = { sight: { kind: 'everything' as const }, lang: O.none, kind: O.none }
  t.equal((await collect(await done(store.feedItems.list(query, EVERYTHING)))).length, 300)
  for (const node of nodes.slice(1)) await node.close()
  await store.close()
})

t.test('of portfolios that are loaded at the same time one is there in the end, whole', async (t) => {
  const store = await freshStore()
  const content = (name: string) =>
    ({
      name,
      sectors: [{ id: name, names: { en: O.some(name), fr: O.none }, logo: 'a.svg' }],
      organizations: [],
      introductions: [],
      summaries: [],
      programs: [],
      challenges: [],
      datasets: [],
    }) as never
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  await Promise.all(names.map((name) => done(store.portfolio.replace(content(name)))))
  const { name, sectors } = await done(store.portfolio.content())
  t.strictSame(
    sectors.map(({ id }) => String(id)),
    [name],
  )
  await store.close()
})
