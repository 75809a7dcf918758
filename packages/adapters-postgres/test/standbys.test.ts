import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collect } from '@almoner/domain/values'
import { startStandby } from '@almoner/postgres-server'
import { done } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { recordOf } from '../src/signals.ts'
import { number, openOn, sample, shown, until, untilAnswered, withItem, write } from './standby-fixture.ts'

// I8: reads may be answered by standbys, but never by one that lacks a change that the process has made, heard of, or shown.

t.test(
  'I8: while nothing is written, standbys answer what readers are shown, and nothing else',
  async (t) => {
    const primary = await withItem()
    const standbys = [await startStandby(primary), await startStandby(primary)]
    for (const standby of standbys) await standby.catchUp()
    const one = await openOn(primary, standbys)
    const { database, asked, store } = one
    t.equal(database.standbyTrouble(), undefined)
    await untilAnswered(one)

    // The log grows by itself now and then, and a standby has that a moment later.
    await until(async () => {
      t.ok(O.isSome(await database.whileReading(() => done(store.libraryItems.find(sample.id)))))
      return asked.answered > 20
    })
    const { answered: before } = asked
    await database.whileReading(async () => {
      const { position } = await done(store.changes.tip())
      const query = { position: -1, place: O.none, kinds: ['library'], aspects: ['own'], most: 9 } as const
      t.match(await done(store.changes.after(query)), { tip: { position }, changes: [{ id: sample.id }] })
    })
    t.equal(asked.answered, before + 2, 'N1: what changed')
    const { answered } = asked
    await database.whileReading(() => collect({ batches: store.users.all(), next: O.none }))
    t.ok(O.isSome(await done(store.libraryItems.find(sample.id))))
    t.strictSame(asked, { answered, failed: 0 }, 'nothing of people, nor what a write may rest on')

    await t.test('a stream sees one state', async (t) => {
      const values: Array<number | undefined> = []
      const stream = (database.shown ?? database).streamSnapshot(async function* (db) {
        const read = () => db.selectFrom('library_item').select('revision').execute()
        yield* await read()
        await write(database, 41)
        yield* await read()
      })
      await database.whileReading(async () => {
        for await (const { revision } of stream) values.push(revision)
      })
      t.equal(values[0], values[1])
      t.equal(await shown(database), 41)
    })
    await database.close()
    for (const cluster of [...standbys, primary]) await cluster.stop()
  },
)

t.test('I8: what the primary has not put on its disk yet keeps no standby from answering', async (t) => {
  const primary = await withItem()
  await primary.ask("alter system set wal_writer_delay = '10s'")
  await primary.ask('select pg_reload_conf()')
  const standby = await startStandby(primary)
  const one = await openOn(primary, [standby])
  await untilAnswered(one)
  // The server writes by itself now and then, which a standby has a moment later, and a busy machine may be late with a look.
  await until(async () => {
    const { answered } = one.asked
    for (let n = 0; n < 20; n += 1) {
      await primary.ask("select pg_logical_emit_message(false, 'test', 'behind')")
      await number(one.database)
      await shown(one.database)
    }
    return one.asked.answered - answered > 10
  })
  t.pass('most reads after a read of the primary')
  await one.database.close()
  for (const cluster of [standby, primary]) await cluster.stop()
})

t.test('I8: a process never contradicts what it has written, heard of or shown', async (t) => {
  const primary = await withItem()
  const standbys = [await startStandby(primary), await startStandby(primary)]
  const [first, second] = [await openOn(primary, standbys), await openOn(primary, standbys)]
  let latest = await number(first.database)
  const seen = new Map<typeof first, number>()
  let answered = 0

  const look = async (one: typeof first, value: number) => {
    const before = seen.get(one) ?? 0
    if (value < before) throw new Error(`${value} is shown after ${before}`)
    seen.set(one, value)
  }
  const process = fc.constantFrom(first, second)
  const act = fc.oneof(
    process.map((one) => async () => {
      latest += 1
      await write(one.database, latest)
      seen.set(one, latest)
    }),
    process.map((one) => async () => look(one, await shown(one.database))),
    process.map((one) => async () => look(one, await number(one.database))),
    fc
      .tuple(fc.constantFrom(...standbys), fc.constantFrom('pauseReplay', 'resumeReplay'))
      .map(([standby, what]) => async () => {
        await standby[what]()
        if (what === 'resumeReplay') await standby.catchUp()
      }),
  )
  const acts = fc.array(act, { minLength: 5, maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(acts, async (list) => {
      for (const each of list) await each()
      for (const standby of standbys) {
        await standby.resumeReplay()
        await standby.catchUp()
      }
      for (const one of [first, second]) {
        await until(async () => (await shown(one.database)) === latest)
        answered += one.asked.answered
      }
    }),
    { numRuns: 15 },
  )
  t.ok(answered > 0, 'standbys answered some')
  for (const { database } of [first, second]) await database.close()
  for (const cluster of [...standbys, primary]) await cluster.stop()
})

t.test(
  'I8: what another process wrote is shown once it was heard of, by no standby that lacks it',
  async (t) => {
    const primary = await withItem()
    const standby = await startStandby(primary)
    await standby.catchUp()
    const [one, other] = [await openOn(primary, [standby]), await openOn(primary, [])]
    // A signal names labels; what else makes the versions rise, such as the begin of listening, names nothing.
    for (let n = 1, isHeard = false; !isHeard; n += 1) {
      await untilAnswered(one)
      await standby.pauseReplay()
      const [labels, portfolio] = [one.database.version(['labels']), one.database.version(['portfolio'])]
      await write(other.database, n, ['labels'])
      await until(() => one.database.version(['labels']) !== labels)
      isHeard = one.database.version(['portfolio']) === portfolio
      const value = await shown(one.database)
      if (isHeard) t.equal(value, n)
      await standby.resumeReplay()
    }
    t.equal(await number(one.database), await shown(one.database))
    for (const { database } of [one, other]) await database.close()
    for (const cluster of [standby, primary]) await cluster.stop()
  },
)

t.test(
  'I8: an address that leads to several standbys by turns shows nothing that one of them lacks',
  async (t) => {
    const primary = await withItem()
    const standbys = [await startStandby(primary), await startStandby(primary)]
    for (const standby of standbys) await standby.catchUp()
    const folder = await mkdtemp(join(tmpdir(), 'almoner-'))
    let turn = 0
    const balancer = createServer((from) => {
      turn += 1
      const to = connect(join(standbys[turn % 2]?.socket ?? '', '.s.PGSQL.5432'))
      from.on('error', () => to.destroy()).pipe(to)
      to.on('error', () => from.destroy()).pipe(from)
    })
    await new Promise<void>((resolve) => balancer.listen(join(folder, '.s.PGSQL.5432'), resolve))
    const url = (name: string) => `postgres://almoner@${encodeURIComponent(folder)}:5432/${name}`
    const one = await openOn(primary, [{ url }])
    const several = () => Promise.all(Array.from({ length: 6 }, () => shown(one.database)))
    // Each connection has answered before one of the servers stops.
    await untilAnswered(one)
    await until(async () => {
      await several()
      return turn > 4
    })
    const [halted, other] = standbys
    if (halted === undefined || other === undefined) throw new Error('there are two')
    await halted.pauseReplay()
    for (let n = 1; n <= 20; n += 1) {
      await write(one.database, n)
      await other.catchUp()
      t.same(new Set(await several()), new Set([n]))
    }
    await one.database.close()
    balancer.close()
    await rm(folder, { recursive: true })
    for (const cluster of [...standbys, primary]) await cluster.stop()
  },
)

t.test('I8: what a standby shows before the primary does is shown by neither', async (t) => {
  const primary = await withItem()
  const standby = await startStandby(primary)
  await standby.catchUp()
  const one = await openOn(primary, [standby])
  await untilAnswered(one)
  const set = async (names: string) => {
    await primary.ask(`alter system set synchronous_standby_names = '${names}'`)
    await primary.ask('select pg_reload_conf()')
  }
  /** Commits, and resolves to whether that waits for a second standby, which is not there. */
  const waits = async (revision: number): Promise<boolean> => {
    let isCommitted = false
    const update = `set synchronous_commit = on; update library_item set revision = ${revision}; ${recordOf(['library'])}`
    committing = primary.ask(update, 'almoner').then(() => {
      isCommitted = true
    })
    const isWaiting = async () =>
      (await primary.ask("select from pg_stat_activity where wait_event = 'SyncRep'")).length > 0
    await until(async () => isCommitted || (await isWaiting()))
    return !isCommitted
  }
  let [committing, revision] = [Promise.resolve(), 100]
  await set('ANY 2 (*)')
  // Servers hear of the setting a moment later.
  while (!(await waits(revision))) revision += 1
  await until(async () => {
    const [row] = await standby.ask('select revision from library_item', 'almoner')
    return Number(row?.['revision']) === revision
  })
  for (let n = 0; n < 20; n += 1) t.not(await shown(one.database), revision)
  await set('')
  await committing
  await until(async () => (await shown(one.database)) === revision)
  await untilAnswered(one)
  await one.database.close()
  for (const cluster of [standby, primary]) await cluster.stop()
})
