import { makeStore } from '@almoner/adapters-kysely'
import { startSmallCluster, startStandby } from '@almoner/postgres-server'
import { done, sampleId, sampleLibraryItem } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { engineOn, migrate } from './store-of.ts'

/** Adds the n-th sample. */
const add = ({ libraryItems }: Pick<ReturnType<typeof makeStore>, 'libraryItems'>, n: number) =>
  done(libraryItems.add({ item: sampleLibraryItem(n, { id: sampleId(n) }), linksToImages: [] }))

const EVERYTHING = { position: -1, place: O.none, kinds: ['library'], aspects: ['own'], most: 100 } as const

t.test('N3: a promoted standby begins one epoch, whose positions lie behind all earlier ones', async (t) => {
  const first = await startSmallCluster()
  t.teardown(() => first.stop())
  await first.createDatabase('almoner')
  await migrate(first.url('almoner'))
  const before = await engineOn(first.url('almoner'))
  const primary = makeStore(before)
  for (const n of [1, 2]) await add(primary, n)
  const old = await done(primary.changes.tip())
  const second = await startStandby(first)
  t.teardown(() => second.stop())
  await second.catchUp()
  await second.ask("alter system set primary_conninfo = ''")
  await second.ask('select pg_reload_conf()')
  while ((await second.ask('select 1 from pg_stat_wal_receiver')).length > 0);
  // What the standby lacks has the numbers that the promoted one gives next.
  for (const n of [3, 4, 5, 6]) await add(primary, n)
  const lost = await done(primary.changes.tip())
  t.equal(lost.epoch, old.epoch)
  await before.close()
  await first.stop()

  await second.promote()
  const engines = [await engineOn(second.url('almoner')), await engineOn(second.url('almoner'))]
  const stores = engines.map(makeStore)
  await Promise.all(stores.flatMap((store, n) => [7, 9].map((id) => add(store, id + n))))
  const [tip] = await Promise.all(stores.map((store) => done(store.changes.tip())))
  t.not(tip?.epoch, old.epoch)
  for (const store of stores) {
    t.equal(
      (await done(store.changes.tip())).epoch,
      tip?.epoch,
      'one epoch, though several connections began',
    )
    t.strictSame(await done(store.changes.endOf(old.epoch)), O.some(-1), 'no earlier cursor is good')
    const { changes } = await done(store.changes.after(EVERYTHING))
    t.strictSame(
      changes.map(({ id }) => id).toSorted(),
      [1, 2, 7, 8, 9, 10].map((n) => String(sampleId(n))).toSorted(),
    )
    const late = changes.filter(({ position }) => position > old.position)
    t.equal(late.length, 4, 'all writes after it lie behind all before it')
  }
  for (const engine of engines) await engine.close()
})

t.test('N3: another process, and a restart of the same server, begin none', async (t) => {
  const cluster = await startSmallCluster()
  t.teardown(() => cluster.stop())
  await cluster.createDatabase('almoner')
  await migrate(cluster.url('almoner'))
  const epochs = new Set<string>()
  for (const n of [1, 2, 3]) {
    const engine = await engineOn(cluster.url('almoner'))
    const store = makeStore(engine)
    await add(store, n)
    epochs.add((await done(store.changes.tip())).epoch)
    await engine.close()
    if (n === 2) await cluster.restart()
  }
  t.equal(epochs.size, 1)
})
