import { checksumOf, MIGRATIONS, makeMigrator } from '@almoner/adapters-kysely'
import { collect, WHOLE_COLLECTION } from '@almoner/domain/values'
import { sharedCluster } from '@almoner/postgres-server'
import { done, sampleFeedItem, sampleId } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import t from 'tap'
import { POSTGRES } from '../src/dialect.ts'
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
      ['0001-initial', '16a36cc2135731a55428cf112b83409a7c4be3fab2aee5b21d1e7069a8e1d7fa'],
      ['0002-schedules', '527f0130c2f2913a0445da38095ba221c742439804800f511d42198119eaff74'],
      ['0003-images', 'c534f0445a5697f823497a8dd32927bda5d0b81341c7e408360572d39e5de47a'],
      ['0004-announcements', 'fb781f812da9dd6d6664a1eb11929520a8a5dba4d039caa269eb60024b121074'],
      ['0005-older', 'd85abb478b85c63443fb08fc876678d2a48847d5f33c53681b4128ed8e839193'],
      ['0006-links', 'fa04d552becf00eaa39925f6dbab5ad79a568ebc844d32b2a940047ea6eeaf26'],
      ['0007-topics', 'ec4792d6da7f6ba53bc822099eade89528ef212a1361cc8394e8ce99868772a1'],
      ['0008-people', '04a30318bd8b8bd7bc7e8607d09f824e293c0273c88654d64134ba07f80837e8'],
      ['0009-changes', '1efba4402e83cfa1256fe265f1102295a71f877d6740f97d80c7376e0a01eb7d'],
      ['0010-inbox', 'a7d7a3fe7dff9aab4f8196768f6cf78043c875629f86ab9cab25cb6c3cc2247d'],
      ['0012-waiting-feeds', 'ea6d6bd20f79ab5dc2e0e5508deb783e758ca93ab00243fed1c220524e3a8d5d'],
      ['0013-released-images', 'a9415eddd562a60b0977c08dc3dfd0f7fff023429ee01eb1d661b75dfc4e10ad'],
      ['0014-drafts', 'd2952a2afa3c83bfb2e5398e5e4dda1dc6fe56d0a0cdf318add2e9652dc35e12'],
      ['0015-reasons', 'a7c946d54b1f2180e36cacc2fb0b701c71b9428ffe5e4681fff85318279bc29d'],
      ['0016-proposals', 'e7608bcba908df1a98f4e225353e5a92b255729980a697908889906330395efe'],
      ['0017-copy-images', '1d130fd7711153a6bcca1481688e3cb483b72a688b24902df257546eaa2b0f28'],
      ['0018-previews', 'c20637ce14868389146184fcd538dddc216881eb359beb5c3c2471e4e3704aac'],
      ['0020-leases', 'd2f9864165f67df40f1141a58c596364192bbe10e932f4d68e22553a84e2a669'],
      ['0021-signals', '3931b992ec92b0035baced31901ffe1b5cd6238eb02b3c964fe4367bf18fa7ad'],
      ['0022-failed-attempts', '3eb08f528a4710045abdf699f16ca721557ec794ae75e398e36f974aece78967'],
      ['0023-counted-requests', '49d8cf92e034f908d5196c1c7d18e20f8782caf89bad032848137dab560dca95'],
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
  const noFollowers = E.right({ people: 0, everything: 0 })
  t.strictSame(await Promise.all(loads), [noFollowers, noFollowers])
  const ids = (await done(store.labels.all())).map(({ labelId }) => String(labelId))
  t.ok(['a,shared', 'b,shared'].includes(ids.join()), ids.join())
  await others.close()
  await store.close()
})
