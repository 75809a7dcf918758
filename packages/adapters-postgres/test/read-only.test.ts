import { makeStore } from '@almoner/adapters-kysely'
import { collect } from '@almoner/domain/values'
import { type Cluster, startSmallCluster, startStandby } from '@almoner/postgres-server'
import { done, failure, sampleId, sampleLibraryItem } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { engineOn, migrate } from './store-of.ts'

// I10: a database that its host has made read-only is read, and its host's protection is never overridden.

const sample = (n: number) => sampleLibraryItem(n, { id: sampleId(n) })

type Host = (cluster: Cluster, on: boolean) => Promise<unknown>

const SETTING = 'default_transaction_read_only'

/** Sets it for a role, a database or both. */
const altered =
  (whose: string, value = 'on'): Host =>
  (cluster, on) =>
    cluster.ask(
      `begin read write; alter ${whose} ${on ? `set ${SETTING} = ${value}` : `reset ${SETTING}`}; commit`,
    )

const HOSTS: Readonly<Record<string, Host>> = {
  'for the whole server': async (cluster, on) => {
    await cluster.ask(on ? `alter system set ${SETTING} = on` : `alter system reset ${SETTING}`)
    await cluster.ask('select pg_reload_conf()')
    // The reload is a signal: a session that begins after it has the new value.
    for (;;) {
      const [row] = await cluster.ask(`select current_setting('${SETTING}') as value`)
      if (row?.['value'] === (on ? 'on' : 'off')) break
    }
  },
  'for the database': altered('database almoner', 'true'),
  'for the role': altered('role almoner', 'yes'),
  'for the role in the database': altered('role almoner in database almoner'),
  'for all roles': altered('role all', '1'),
}

const onServer = async () => {
  const cluster = await startSmallCluster()
  await cluster.createDatabase('almoner')
  await migrate(cluster.url('almoner'))
  return cluster
}

const open = async (url: string) => {
  const database = await engineOn(url)
  return { database, ...makeStore(database) }
}

type Opened = Awaited<ReturnType<typeof open>>

const add = ({ libraryItems }: Opened, n: number) => libraryItems.add({ item: sample(n), linksToImages: [] })

const counted = async ({ users, portfolio, libraryItems, statistics }: Opened) => {
  await done(portfolio.content())
  await done(statistics.survey([]))
  await collect({ batches: users.all(), next: O.none })
  const found = await Promise.all([1, 2, 3, 4].map((n) => done(libraryItems.find(sampleId(n)))))
  return found.filter(O.isSome).length
}

t.test('I10: reads go on, writes change nothing, and all goes on when the host allows it', async (t) => {
  const cluster = await onServer()
  for (const [name, protect] of Object.entries(HOSTS)) {
    const warm = await open(cluster.url('almoner'))
    await done(add(warm, 1))
    // Several sessions that began before.
    await Promise.all(Array.from({ length: 4 }, () => counted(warm)))
    await protect(cluster, true)
    const cold = await open(cluster.url('almoner'))
    for (const store of [warm, cold]) {
      t.equal(await failure(add(store, 2)), 'Unavailable', name)
      t.match(store.database.trouble(), /takes no writes: default_transaction_read_only/)
      t.equal(await counted(store), 1, 'reads go on')
    }
    await protect(cluster, false)
    await done(add(cold, 3))
    await done(add(warm, 4))
    for (const store of [warm, cold]) {
      t.equal(store.database.trouble(), undefined, name)
      t.equal(await counted(store), 3)
      await store.database.close()
    }
    await cluster.ask('truncate library_item cascade', 'almoner')
  }
  await cluster.stop()
})

t.test('I10: what is set for a role in a database counts more than what is set for all', async (t) => {
  const cluster = await onServer()
  await cluster.ask(`alter database almoner set ${SETTING} = on`)
  await cluster.ask(`alter role almoner in database almoner set ${SETTING} = off`)
  const store = await open(cluster.url('almoner'))
  await done(add(store, 1))
  await cluster.ask(`alter role almoner in database almoner reset ${SETTING}`)
  t.equal(await failure(add(store, 2)), 'Unavailable')
  await store.database.close()
  await cluster.stop()
})

t.test(
  'I10: of several servers the one that takes writes is used, else one that is no standby',
  async (t) => {
    const first = await onServer()
    const second = await startStandby(first)
    const addresses = [second, first].map(({ socket }) => encodeURIComponent(socket))
    await HOSTS['for the whole server']?.(first, true)
    const store = await open(`postgres://almoner@${addresses.join(',')}/almoner`)
    t.equal(await failure(add(store, 1)), 'Unavailable')
    t.equal(await counted(store), 0, 'the primary is read')
    await second.promote()
    await first.ask('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()')
    await done(add(store, 1))
    t.equal(await counted(store), 1, 'the promoted one takes writes')
    await store.database.close()
    await first.stop()
    await second.stop()
  },
)

t.test('I10: a disk that is full is trouble until a write succeeds', async (t) => {
  const cluster = await onServer()
  const store = await open(cluster.url('almoner'))
  // What the server says of a disk that is full, without filling one.
  await cluster.ask(
    `create function full_disk() returns trigger language plpgsql as $$ begin
      raise 'could not extend file' using errcode = 'disk_full'; end $$;
    create trigger full_disk before insert on library_item for each row execute function full_disk()`,
    'almoner',
  )
  t.equal(await failure(add(store, 1)), 'Unavailable')
  t.match(store.database.trouble(), /disk of its server is full/)
  t.equal(await counted(store), 0)
  await cluster.ask('drop trigger full_disk on library_item', 'almoner')
  await done(add(store, 1))
  t.equal(store.database.trouble(), undefined)
  await store.database.close()
  await cluster.stop()
})
