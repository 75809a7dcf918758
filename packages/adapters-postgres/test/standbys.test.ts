import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, makeStore } from '@almoner/adapters-kysely'
import type { DataPart } from '@almoner/domain/history'
import { collect } from '@almoner/domain/values'
import { type Cluster, startSmallCluster, startStandby } from '@almoner/postgres-server'
import { done, sampleId, sampleLibraryItem } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { openPostgres, type PostgresDatabase, parsePostgresUrl } from '../src/index.ts'
import { migrate } from './store-of.ts'

// I8: reads may be answered by standbys, but never by one that lacks a change that the process has made, heard of, or shown.

const sample = sampleLibraryItem(1, { id: sampleId(1) })

const placeOf = (url: string) => {
  const place = parsePostgresUrl(url)
  if (E.isLeft(place)) throw new Error(place.left)
  return place.right
}

/** A process on a primary, which counts the reads that standbys answered, and did not. */
const openOn = async (primary: Cluster, standbys: ReadonlyArray<Pick<Cluster, 'url'>>, lag = 60_000) => {
  const asked = { answered: 0, failed: 0 }
  const places = standbys.map(({ url }) => placeOf(url('almoner')))
  const onRead = (_: number, failed: boolean) => {
    asked[failed ? 'failed' : 'answered'] += 1
  }
  const place = placeOf(primary.url('almoner'))
  const database = await done(openPostgres({ place, reads: { places, lag, onRead } }))
  return { database, asked, store: makeStore(database) }
}

/** Waits for a condition, which the test's own time limit bounds. */
const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** The number that writes of these tests raise. */
const write = (database: Database, number: number, notify?: ReadonlyArray<DataPart>) =>
  done(
    database.write(
      async (db) => E.right(await db.updateTable('library_item').set({ revision: number }).execute()),
      notify && { notify },
    ),
  )

const number = async ({ read }: Pick<Database, 'read'>): Promise<number> => {
  const rows = await done(read((db) => db.selectFrom('library_item').select('revision').execute()))
  return rows[0]?.revision ?? -1
}

const shown = (database: PostgresDatabase): Promise<number> =>
  database.whileReading(() => number(database.shown ?? database))

/** Stops replaying, once that has taken effect. */
const halt = async (standby: Cluster): Promise<void> => {
  await standby.ask('select pg_wal_replay_pause()')
  await until(async () => {
    const [row] = await standby.ask("select pg_get_wal_replay_pause_state() = 'paused' as is_halted")
    return row?.['is_halted'] === true
  })
}

/** Waits until a standby answers. */
const untilAnswered = ({ database, asked }: Awaited<ReturnType<typeof openOn>>) => {
  const before = asked.answered
  return until(async () => {
    await shown(database)
    return asked.answered > before
  })
}

const withItem = async (): Promise<Cluster> => {
  const primary = await startSmallCluster()
  await primary.createDatabase('almoner')
  await migrate(primary.url('almoner'))
  const database = await done(openPostgres({ place: placeOf(primary.url('almoner')) }))
  await done(makeStore(database).libraryItems.add({ item: sample, linksToImages: [] }))
  await database.close()
  return primary
}

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
      .tuple(fc.constantFrom(...standbys), fc.constantFrom('pause', 'resume'))
      .map(([standby, what]) => async () => {
        await standby.ask(`select pg_wal_replay_${what}()`)
        if (what === 'resume') await standby.catchUp()
      }),
  )
  const acts = fc.array(act, { minLength: 5, maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(acts, async (list) => {
      for (const each of list) await each()
      for (const standby of standbys) {
        await standby.ask('select pg_wal_replay_resume()')
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
      await halt(standby)
      const [labels, portfolio] = [one.database.version(['labels']), one.database.version(['portfolio'])]
      await write(other.database, n, ['labels'])
      await until(() => one.database.version(['labels']) !== labels)
      isHeard = one.database.version(['portfolio']) === portfolio
      const value = await shown(one.database)
      if (isHeard) t.equal(value, n)
      await standby.ask('select pg_wal_replay_resume()')
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
    await halt(halted)
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

t.test('I8: a standby of no use is named, and no read fails for it', async (t) => {
  const primary = await withItem()
  const good = await startStandby(primary)
  const elsewhere = await withItem()
  const faults: ReadonlyArray<[string, () => Promise<Cluster>, RegExp]> = [
    ["the primary's own address", async () => primary, /it takes writes, so it is no standby/],
    [
      'promoted',
      async () => {
        const standby = await startStandby(primary)
        await standby.promote()
        return standby
      },
      /it takes writes, so it is no standby/,
    ],
    ['of another database', () => startStandby(elsewhere), /it holds another database/],
    [
      'stopped',
      async () => {
        const standby = await startStandby(primary)
        await standby.stop()
        return standby
      },
      /ENOENT|ECONNREFUSED/,
    ],
    [
      'behind',
      async () => {
        const standby = await startStandby(primary)
        await halt(standby)
        await primary.ask("update library_item set title = 'behind'", 'almoner')
        return standby
      },
      /is more than 1 s behind/,
    ],
  ]
  for (const [name, make, text] of faults) {
    const bad = await make()
    const one = await openOn(primary, [bad, good], 1000)
    await untilAnswered(one)
    await until(() => one.database.standbyTrouble() !== undefined)
    t.match(one.database.standbyTrouble(), text, name)
    for (let n = 0; n < 10; n += 1) t.type(await shown(one.database), 'number')
    await one.database.close()
    if (bad !== primary) await bad.stop()
  }

  await t.test('halted in mid-flight, and used again', async (t) => {
    const standby = await startStandby(primary)
    await standby.catchUp()
    const one = await openOn(primary, [standby])
    await untilAnswered(one)
    await standby.pause()
    for (let n = 0; n < 5; n += 1) t.type(await shown(one.database), 'number')
    await until(() => one.database.standbyTrouble() !== undefined)
    standby.resume()
    await until(() => one.database.standbyTrouble() === undefined)
    await untilAnswered(one)
    await one.database.close()
    await standby.stop()
  })
  for (const cluster of [good, elsewhere, primary]) await cluster.stop()
})
