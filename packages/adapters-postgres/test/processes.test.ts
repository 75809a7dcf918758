import { checksumOf, MIGRATIONS, makeMigrator } from '@almoner/adapters-kysely'
import { collect, WHOLE_COLLECTION } from '@almoner/domain/values'
import { sharedCluster } from '@almoner/postgres-server'
import { done, sampleFeedItem, sampleId } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import t from 'tap'
import { POSTGRES } from '../src/sql-dialect.ts'
import { clock, engineOn, freshStore, storeOn } from './store-of.ts'

t.test('of several processes that migrate at once, one applies each migration', async (t) => {
  const cluster = await sharedCluster()
  await cluster.createDatabase('empty')
  const engines = await Promise.all([1, 2, 3].map(() => engineOn(cluster.url('empty'))))
  const applied = await Promise.all(
    engines.map((database) => done(makeMigrator(database, clock, MIGRATIONS).migrate())),
  )
  t.strictSame(
    applied.flat(),
    MIGRATIONS.map(({ name }) => name),
  )
  for (const database of engines) await database.close()
})

// A database that has had one of these never gets it again: write another migration instead of editing one.
t.test('released migrations are unchanged', async (t) => {
  t.strictSame(
    MIGRATIONS.map((one) => [one.name, checksumOf(one, POSTGRES)]),
    [
      ['0017-initial', '7fc84db432b0612103f1035a2abfbbbda2e347d45ce1175adbede70088e7e20d'],
      ['0018-plain-names', 'f6fc3c68bd47994b8f862036878420c7f4b59f2d2c1ba19825499708a8ee28f4'],
      ['0019-search', 'a02f58e5a0f45f95a19e9cd686a94c5bc03378412affe3e379c9431b63443e3c'],
      ['0020-personal-data', '88092aeb514576f46605e544bc1392a628a1b01fb0e72d2367697f70906ae55a'],
      ['0022-console', '1916d76f7b7ea5e34a95874b43a94ac02ea604a0f87ca66697c2ef374202e474'],
      ['0023-translation', '179b7bb3987105382e82e32b260eda056b360306ff4a7aa597262975cada7609'],
      ['0024-history', 'd64820a582aec14e3299fc67d4ac2c2e173e7ff8ad8a780e9573fa34944d72b9'],
      ['0025-working-copies', '29fd53fb971e369d60b22ed518bff0cb8b276d5894b86b3fc223775bfbbb4ff8'],
      ['0026-passkeys', '3b2a3101a03548269bb91e6cd691b4f4c96bc9c40c623d7643087725abe5f1e8'],
      ['0027-client-use', '806aaa4cf386eee34c2ad3b2c48f2de8f3c4b0ca54a94ebe877372aedf06ff73'],
      ['0028-manager-time-zone', 'b861b1f8f6e8d2002d92f65e0e4c50b69162e9b3006dcad87628d2eb12909886'],
      ['0029-audit', '6b59dc8e8e3c29a1b7a7ffc43b77845cf6b95f6d5c1b5da961d661bed8340068'],
      ['0030-identities', '0f94984065a575f864e900869618b9b1f4ceecc21c4a24285e8d88e2f0a96733'],
      ['0031-passwords', 'be1630e81f9e33af92d4c6d40eba10989bf17fa6debb4ceb852f2e87181abf1c'],
      ['0032-audit-filters', '475c633a48b416fe4a35196666040420bd2c1287f25d2b0fe267e715cf1f66ca'],
      ['0033-wrong-codes', '620eeb2932492331e192d5fd9e5fa0dcfcd32a9877ec7e6de57c3553837271b5'],
      ['0034-response-tokens', 'af0a45f04ba6177c509272ac9848396084c3b9d0362693cf7cee918e4d62c595'],
      ['0035-one-address', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
      ['0036-portfolio-key', '981aee1cf82194b8cd2c6980589359b6c89dcb45905eb9dc8cc3c20a60f34abf'],
      ['0037-origins', 'de6965e4ca067f3892eeef89765e8891201cf89a21754e5e426964fc8623182b'],
      ['0038-composed-ids', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
      ['0040-lives', '97c8092c92de5dd58b29916f2704814e8ec6a741c59fc3f03c48677187fa56de'],
      ['0041-planned', 'f5c5db1adde93d1fdf9c01ac8e509c714d953a32b13ff1ec9e1f5ad642e994dd'],
    ],
  )
})

t.test('concurrent writes of several nodes lose nothing', async (t) => {
  const store = await freshStore()
  const nodes = [store, await storeOn(store.url), await storeOn(store.url)]
  const storesImages = nodes.flatMap(({ feedItems }, node) =>
    Array.from({ length: 100 }, (_, n) => {
      const item = sampleFeedItem(n, { id: sampleId(1000 * node + n) })
      return done(feedItems.add({ item, linksToImages: [] }))
    }),
  )
  await Promise.all(storesImages)
  const query = { visibility: { kind: 'everything' as const }, lang: O.none, kind: O.none }
  t.equal((await collect(await done(store.feedItems.list(query, WHOLE_COLLECTION)))).length, 300)
  for (const node of nodes.slice(1)) await node.close()
  await store.close()
})

t.test('of portfolios that are loaded concurrently, one is stored completely', async (t) => {
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

t.test('E1: of label files that are loaded concurrently, one is stored completely', async (t) => {
  const store = await freshStore()
  const others = await storeOn(store.url)
  const label = (labelId: string) => ({ labelId, en: labelId, fr: labelId }) as never
  const release = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  // Both loads have written the first of their labels when they come to this one, and wait.
  const holding = others.database.write(async (db) => {
    await sql`insert into label (label_id, en, fr, rank) values ('shared', '', '', 0)`.execute(db)
    held.resolve()
    await release.promise
    return E.left('no')
  })()
  await held.promise
  const loads = [
    store.labels.replaceAll([label('a'), label('shared')])(),
    others.labels.replaceAll([label('b'), label('shared')])(),
  ]
  const waiting = sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  const waiters = () => done(store.database.read(async (db) => (await waiting.execute(db)).rows.length))
  while ((await waiters()) < 2);
  release.resolve()
  await holding
  t.strictSame(await Promise.all(loads), [E.right(undefined), E.right(undefined)])
  const ids = (await done(store.labels.all())).map(({ labelId }) => String(labelId))
  t.ok(['a,shared', 'b,shared'].includes(ids.join()), ids.join())
  await others.close()
  await store.close()
})
