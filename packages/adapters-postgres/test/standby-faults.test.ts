import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { type Cluster, startPooler, startProxy, startStandby } from '@almoner/postgres-server'
import { done, sampleId, sampleLibraryItem } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import t, { type Test } from 'tap'
import { openOn, shown, until, untilAnswered, withItem, write } from './standby-fixture.ts'

// I8: a standby that is of no use is named and not asked, and no request fails for it.

type Process = Awaited<ReturnType<typeof openOn>>

/** Reads some times what each time must be answered. */
const readSome = async (t: Test, { database }: Process): Promise<void> => {
  for (let n = 0; n < 10; n += 1) t.type(await shown(database), 'number')
}

t.test('I8: standbys of no use are named at once, and another one answers', async (t) => {
  const [primary, elsewhere] = [await withItem(), await withItem()]
  await elsewhere.createDatabase('other')
  const good = await startStandby(primary)
  const [paused, full] = [await startStandby(primary), await startStandby(primary)]
  const foreign = await startStandby(elsewhere)
  const servers = [foreign, good, paused, full, elsewhere, primary]
  for (const standby of [paused, full]) await standby.catchUp()
  await paused.pauseReplay()
  // As on a full disk, the process that receives the log can make no file for it.
  await chmod(join(full.folder, 'pg_wal'), 0o500)
  // More segments than it may have beforehand.
  await primary.ask(`do $$ begin for n in 1..30 loop
    perform pg_logical_emit_message(true, 'test', 'behind'); perform pg_switch_wal(); end loop; end $$`)
  const [unreached, late] = ['ENOENT|ECONNREFUSED', 'it is more than 1 s behind']
  const faults: ReadonlyArray<readonly [Cluster, string, string]> = [
    [primary, 'it takes writes, so it is no standby', "the primary's own address"],
    [foreign, 'it holds another database', 'of another database'],
    [
      { ...foreign, url: () => foreign.url('other') },
      'it has no tables of this service',
      'of another schema',
    ],
    [{ ...good, socket: '/not-there', url: () => 'postgres://%2Fnot-there/almoner' }, unreached, 'stopped'],
    [paused, late, 'paused'],
    [full, `${late}|${unreached}|57P03`, 'without room on its disk'],
  ]
  const one = await openOn(primary, [...faults.map(([standby]) => standby), good], { lag: 1000 })
  t.ok(one.database.unusedStandbys() >= faults.length, 'as the doctor sees it')
  for (const [{ socket }, text, name] of faults) {
    const isNamed = new RegExp(`${socket}:5432 is not used: [^;]*(?:${text})`)
    await until(() => isNamed.test(one.database.standbyTrouble() ?? ''))
    t.pass(name)
  }
  await readSome(t, one)
  await untilAnswered(one)
  await one.database.close()
  for (const cluster of servers) await cluster.stop()
})

t.test('I8: a standby is named while it is halted, slow or full, and used again', async (t) => {
  const primary = await withItem()
  await primary.ask(
    'create role reader login; grant usage on schema public to reader; grant select on all tables in schema public to reader',
    'almoner',
  )
  const standby = await startStandby(primary)
  await standby.catchUp()
  const proxy = await startProxy(standby)
  const asReader = { url: (name: string) => proxy.url(name).replace('almoner@', 'reader@') }
  const one = await openOn(primary, [asReader])
  const trouble = one.database.standbyTrouble
  const allow =
    (connections: number, ended = 'true') =>
    async () => {
      await primary.ask(`alter role reader connection limit ${connections}`)
      await standby.catchUp()
      const end = "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'reader'"
      await standby.ask(`${end} and ${ended}`)
    }
  const delay = (milliseconds: number) => async () => proxy.delay(milliseconds)
  const hindrances: ReadonlyArray<[() => Promise<void>, () => Promise<void>, RegExp]> = [
    [standby.pause, async () => standby.resume(), /does not answer/],
    [delay(500), delay(0), /more than 400 ms to answer/],
    [allow(1, "query not like '%as is_old'"), allow(-1), /too many connections/],
    [allow(0), allow(-1), /too many connections/],
  ]
  for (const [hinder, mend, text] of hindrances) {
    await untilAnswered(one)
    await hinder()
    await readSome(t, one)
    await until(() => text.test(trouble() ?? ''))
    await readSome(t, one)
    await mend()
    await until(() => trouble() === undefined)
  }
  await untilAnswered(one)
  await Promise.all([standby.promote(), readSome(t, one)])
  await standby.ask('update library_item set revision = 999', 'almoner')
  for (let n = 0; n < 10; n += 1) t.not(await shown(one.database), 999, 'promoted')
  await until(() => /takes writes/.test(trouble() ?? ''))
  await one.database.close()
  await proxy.close()
  for (const cluster of [standby, primary]) await cluster.stop()
})

t.test('I8: a pooler that gives a connection several sessions of a standby is named', async (t) => {
  const primary = await withItem()
  const standby = await startStandby(primary)
  await standby.catchUp()
  const mixing = { mode: 'transaction', order: 'turn', size: 3 } as const
  const pooler = await startPooler(standby, mixing)
  const one = await openOn(primary, [pooler])
  t.match(one.database.standbyTrouble(), /behind a pooler that keeps no sessions/)
  await readSome(t, one)
  pooler.restart({ mode: 'session' })
  await untilAnswered(one)
  pooler.restart(mixing)
  await until(() => one.database.standbyTrouble()?.includes('behind a pooler') === true)
  await readSome(t, one)
  await one.database.close()
  await pooler.close()
  for (const cluster of [standby, primary]) await cluster.stop()
})

/** Raises an error on a standby alone. */
const REFUSING = `create function refused_by_standby(code text) returns integer language plpgsql as $$ begin
  if pg_is_in_recovery() then raise 'refused' using errcode = code; end if; return 1; end $$`

t.test('I8: what a standby cannot answer is answered by the primary', async (t) => {
  const primary = await withItem()
  await primary.ask(REFUSING, 'almoner')
  const standby = await startStandby(primary)
  await standby.catchUp()
  const one = await openOn(primary, [standby])
  const { database, asked } = one
  const { shown: readers = database } = database

  const codes = { 'a conflict with recovery': '40001', 'no room for what it sorts': '53100' }
  for (const [name, code] of Object.entries({ ...codes, 'another schema': '42P01' })) {
    const query = (db: Parameters<Parameters<typeof readers.read>[0]>[0]) =>
      sql<{ value: number }>`select refused_by_standby(${code}) as value`.execute(db)
    const kinds = [
      () => done(readers.read(query)),
      () => done(readers.readSnapshot(query)),
      async () => {
        const rows: Array<unknown> = []
        const stream = readers.streamSnapshot(async function* (db) {
          yield* (await query(db)).rows
        })
        for await (const row of stream) rows.push(row)
        return { rows }
      },
    ]
    for (const read of kinds) {
      await untilAnswered(one)
      t.strictSame((await database.whileReading(read)).rows, [{ value: 1 }], name)
    }
  }

  const all = () =>
    database.whileReading(() =>
      done(readers.read((db) => db.selectFrom('library_item').selectAll().execute())),
    )
  const columns = async () => Object.keys((await all())[0] ?? {}).filter((name) => name.startsWith('later'))
  await untilAnswered(one)
  t.strictSame(await columns(), [])
  await standby.pauseReplay()
  await primary.ask('alter table library_item add column later text', 'almoner')
  await write(database, 1)
  t.strictSame(await columns(), ['later'], 'the standby has the older schema')
  await standby.resumeReplay()
  const { answered } = asked
  await until(async () => {
    t.strictSame(await columns(), ['later'])
    return asked.answered > answered
  })
  await database.close()
  for (const cluster of [standby, primary]) await cluster.stop()
})

t.test(
  'I8: where writes reach a promoted server and the looks the old one, no standby answers',
  async (t) => {
    const old = await withItem()
    const [standby, promoted] = [await startStandby(old), await startStandby(old)]
    const proxy = await startProxy(old)
    const one = await openOn(proxy, [standby], { listen: old })
    await untilAnswered(one)
    await promoted.catchUp()
    await promoted.promote()
    proxy.moveTo(promoted)
    for (let n = 1; n <= 20; n += 1) {
      await write(one.database, n)
      // The log of the old one gets further than that of the promoted one.
      await old.ask('select pg_switch_wal()')
      await old.ask("update library_item set title = 'lost'", 'almoner')
      await standby.catchUp()
      t.equal(await shown(one.database), n)
    }
    await one.database.close()
    await proxy.close()
    for (const cluster of [standby, promoted, old]) await cluster.stop()
  },
)

t.test('I5, I8: a primary that fails over while writing loses nothing that was confirmed', async (t) => {
  const primary = await withItem()
  const [next, other] = [await startStandby(primary), await startStandby(primary)]
  await primary.ask("alter system set synchronous_standby_names = 'ANY 2 (walreceiver)'")
  await primary.ask('select pg_reload_conf()')
  const both = {
    url: (name: string) =>
      `postgres://almoner@${[primary, next].map(({ socket }) => encodeURIComponent(socket)).join()}/${name}`,
  }
  const one = await openOn(both, [next, other])
  const outcomes = new Map<number, string>()
  let [latest, isOver] = [1, false]
  const writing = async () => {
    while (!isOver) {
      latest += 1
      const n = latest
      const item = sampleLibraryItem(n, { id: sampleId(n) })
      const written = await one.store.libraryItems.add({ item, linksToImages: [] })()
      outcomes.set(n, E.isRight(written) ? 'written' : written.left._tag)
    }
  }
  const isShown = async (n: number) =>
    O.isSome(await one.database.whileReading(() => done(one.store.libraryItems.find(sampleId(n)))))
  const confirmed = () => [...outcomes].filter(([, outcome]) => outcome === 'written').map(([n]) => n)
  const writers = [writing(), writing(), writing()]
  await until(() => confirmed().length > 20)
  await untilAnswered(one)
  await primary.stop()
  await next.promote()
  const before = confirmed().length
  await until(() => confirmed().length > before + 20)
  isOver = true
  await Promise.all(writers)
  for (const [n, outcome] of outcomes) {
    if (outcome === 'written') t.ok(await isShown(n), `${n} was confirmed`)
    if (outcome === 'Unavailable') t.notOk(await isShown(n), `${n} was refused`)
  }
  for (const text of ['takes writes', 'follows another primary'])
    await until(() => one.database.standbyTrouble()?.includes(text) === true)
  await one.database.close()
  for (const cluster of [next, other]) await cluster.stop()
})
