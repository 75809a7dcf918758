import { setTimeout as pause } from 'node:timers/promises'
import type { DataPart } from '@almoner/domain/history'
import { startProxy } from '@almoner/postgres-server'
import { done } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import t, { type Test } from 'tap'
import { openPostgres, type PostgresDatabase } from '../src/index.ts'
import { channelOf, isSeen, NOTIFICATION, recordOf, type Seen, sharing, textOf } from '../src/signals.ts'
import { engineOn, freshlyMigrated, placeOf } from './store-of.ts'

// I8: a process never contradicts what it has answered. What a read shows has been counted, so that nothing older is served from a cache after it.

const PARTS = ['feed', 'library', 'labels'] as const satisfies ReadonlyArray<DataPart>
type Part = (typeof PARTS)[number]
const WAYS = ['read', 'snapshot', 'stream', 'refused write'] as const

/** How many rows of each part there are. */
type Counts = ReadonlyMap<Part, number>

/** A database with rows of some parts of the data, and clients that add more, as other processes do. */
const withRows = async (t: Test) => {
  const { url, cluster, name } = await freshlyMigrated()
  const clients = Array.from({ length: 3 }, () => new pg.Client(url))
  await Promise.all(clients.map((client) => client.connect()))
  t.teardown(() => Promise.all(clients.map((client) => client.end())))
  await clients[0]?.query('create table probe (part text not null)')
  return { url, cluster, name, clients }
}

/** Reads all rows. */
const count = async (database: PostgresDatabase, way: (typeof WAYS)[number]): Promise<Counts> => {
  type Db = Parameters<Parameters<PostgresDatabase['read']>[0]>[0]
  const rows = async (db: Db) =>
    (await sql<{ part: Part; count: number }>`select part, count(*) from probe group by part`.execute(db))
      .rows
  const found = async () => {
    if (way === 'read') return done(database.read(rows))
    if (way === 'snapshot') return done(database.readSnapshot(rows))
    if (way === 'refused write') {
      const refused = await database.write(async (db) => E.left({ rows: await rows(db) }))()
      return E.isLeft(refused) && 'rows' in refused.left ? refused.left.rows : []
    }
    const stream = database.streamSnapshot(async function* (db) {
      yield await rows(db)
    })
    for await (const value of stream) return value
    return []
  }
  return new Map((await found()).map(({ part, count }) => [part, count]))
}

const asked = fc.record({
  key: fc.nat(2),
  parts: fc.subarray([...PARTS], { minLength: 1 }),
  way: fc.constantFrom(...WAYS),
})
type Asked = typeof asked extends fc.Arbitrary<infer A> ? A : never

const step = fc.oneof(
  fc.record({ kind: fc.constant('begin' as const), client: fc.nat(2), part: fc.constantFrom(...PARTS) }),
  fc.record({ kind: fc.constant('end' as const), client: fc.nat(2), notifies: fc.boolean() }),
  fc.record({ kind: fc.constant('own' as const), part: fc.constantFrom(...PARTS) }),
  fc.record({
    kind: fc.constant('miss' as const),
    together: fc.array(asked, { minLength: 1, maxLength: 3 }),
  }),
)
type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

/** An answer, and the version from before it was read. */
interface Kept {
  readonly parts: ReadonlyArray<Part>
  readonly version: number
  readonly counts: Counts
}

/** A process that keeps answers by keys. */
const makeProcess = (database: PostgresDatabase) => {
  const shown = new Map<Part, number>()
  const kept = new Map<number, Kept>()
  const contradicts = (parts: ReadonlyArray<Part>, counts: Counts, before: Counts) =>
    parts.some((part) => (counts.get(part) ?? 0) < (before.get(part) ?? 0))
  const miss = async ({ key, parts, way }: Asked): Promise<boolean> => {
    const [before, version] = [new Map(shown), database.version(parts)]
    const counts = await count(database, way)
    kept.set(key, { parts, version, counts })
    for (const part of parts) shown.set(part, Math.max(counts.get(part) ?? 0, shown.get(part) ?? 0))
    return contradicts(parts, counts, before)
  }
  /** Reads some answers at a time, and returns whether one of them, or one that is kept, contradicts what was shown before. */
  return async (together: ReadonlyArray<Asked>): Promise<boolean> => {
    const missed = await Promise.all(together.map(miss))
    const served = [...kept.values()].filter(({ parts, version }) => database.version(parts) === version)
    return missed.includes(true) || served.some(({ parts, counts }) => contradicts(parts, counts, shown))
  }
}

/** Runs steps, and returns whether the process contradicts itself. */
const run = async (
  steps: ReadonlyArray<Step>,
  database: PostgresDatabase,
  clients: ReadonlyArray<pg.Client>,
): Promise<boolean> => {
  const miss = makeProcess(database)
  const running = new Map<number, Part>()
  const insert = (part: Part) => `insert into probe values ('${part}')`
  const end = async (n: number, notifies: boolean) => {
    const part = running.get(n)
    if (part === undefined) return
    running.delete(n)
    await clients[n]?.query(`${recordOf([part])}; commit`)
    if (notifies) await clients[n]?.query(NOTIFICATION, [channelOf('public'), textOf([{ change: [part] }])])
  }
  const perform = async (one: Step): Promise<boolean> => {
    if (one.kind === 'miss') return miss(one.together)
    if (one.kind === 'own')
      await done(
        database.write(async (db) => E.right(await sql.raw(insert(one.part)).execute(db)), {
          notify: [one.part],
        }),
      )
    else if (one.kind === 'end') await end(one.client, one.notifies)
    else if (!running.has(one.client)) {
      running.set(one.client, one.part)
      await clients[one.client]?.query(`begin; ${insert(one.part)}`)
    }
    return false
  }
  let isWrong = false
  for (const one of steps) isWrong = (await perform(one)) || isWrong
  for (const n of [...running.keys()]) await end(n, false)
  return (await miss([{ key: 0, parts: [...PARTS], way: 'read' }])) || isWrong
}

const property = (database: PostgresDatabase, clients: ReadonlyArray<pg.Client>) =>
  fc.asyncProperty(
    fc.array(step, { minLength: 4, maxLength: 20 }),
    async (steps) => !(await run(steps, database, clients)),
  )

/** Waits until the process listens, which begins with a change of anything. */
const untilListening = async (database: PostgresDatabase) => {
  for (const before = database.version(['portfolio']); database.version(['portfolio']) === before; )
    await pause(5)
}

t.test(
  'I8: over any interleaving of commits, signals and reads no kept answer contradicts a read',
  async (t) => {
    const { url, clients } = await withRows(t)
    const database = await engineOn(url)
    t.teardown(database.close)
    await untilListening(database)
    await fc.assert(property(database, clients), { numRuns: 25 })
  },
)

t.test('I8: nor where notifications are not heard', async (t) => {
  const { url, clients } = await withRows(t)
  const pool = new pg.Pool({ connectionString: url })
  const kysely = new Kysely<object>({ dialect: new PostgresDialect({ pool }) })
  const database = await done(openPostgres({ kysely, schema: 'public' }))
  t.teardown(async () => {
    await database.close()
    await kysely.destroy()
  })
  await fc.assert(property(database, clients), { numRuns: 12 })
})

t.test(
  'I8: while the connection that listens is lost, each read counts as a change of anything',
  async (t) => {
    const { url, cluster, name } = await withRows(t)
    const proxy = await startProxy(cluster)
    const database = await done(openPostgres({ place: placeOf(url), listen: placeOf(proxy.url(name)) }))
    t.teardown(async () => {
      await database.close()
      await proxy.close()
    })
    await untilListening(database)
    proxy.stall()
    const before = database.version(['portfolio'])
    await count(database, 'read')
    t.not(database.version(['portfolio']), before)
  },
)

t.test('I8: who asks waits for a run that begins later, and never two run at a time', async () => {
  const act = fc.oneof(
    { weight: 2, arbitrary: fc.constant('ask' as const) },
    { weight: 1, arbitrary: fc.constantFrom('end' as const, 'fail' as const, 'turn' as const) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 40 }), async (acts) => {
      const ends: Array<ReturnType<typeof Promise.withResolvers<void>>> = []
      let [begun, running, isRight] = [0, 0, true]
      const ask = sharing(async () => {
        begun += 1
        running += 1
        isRight &&= running === 1
        const end = Promise.withResolvers<void>()
        ends.push(end)
        await end.promise.finally(() => {
          running -= 1
        })
      })
      const asked: Array<Promise<void>> = []
      const perform = (one: 'ask' | 'end' | 'fail' | 'turn') => {
        if (one === 'end') ends.shift()?.resolve()
        else if (one === 'fail') ends.shift()?.reject(new Error('failed'))
        else if (one === 'ask') {
          const before = begun
          const check = () => {
            isRight &&= begun > before
          }
          asked.push(ask().then(check, check))
        }
      }
      for (const one of acts) {
        perform(one)
        if (one === 'turn') await new Promise(setImmediate)
      }
      let isDone = false
      const all = Promise.all(asked).then(() => {
        isDone = true
      })
      for (; !isDone; await new Promise(setImmediate)) perform('end')
      await all
      return isRight && begun <= asked.length
    }),
  )
})

t.test('I8: a look has shown the transactions that its snapshot shows', (t) => {
  const seen: Seen = { before: '12', running: ['7', '9'] }
  const all = Array.from({ length: 15 }, (_, n) => String(n))
  t.strictSame(
    all.filter((xid) => !isSeen(seen, xid)),
    ['7', '9', '12', '13', '14'],
  )
  t.end()
})
