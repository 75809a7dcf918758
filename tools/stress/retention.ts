// Measures what the end of a month of the ledger costs on PostgreSQL (G8), on a server that syncs its log: rows that are deleted in small steps, as the
// service does, beside a table in partitions that are dropped, one for each month (`months`) or for each delivery (`each`). First alone: time, log
// and size. Then beside readers of uncached pages and a review, by turns with it and without it: the share of pages and pushes that are left.
// `record` compares what it costs to record pushes in one table and in partitions. Findings are errors only: the figures are for a decision.
// Usage: node tools/stress/retention.ts [--rows 10000000] [--months 4] [--ways delete,months,each,record] [--rounds 6] [--seconds 10] [--place FOLDER]
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Instant } from '@almoner/domain'
import type { MessageText } from '@almoner/domain/notifications'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { makeStore, queryCache } from '../../packages/adapters-kysely/src/index.ts'
import { systemClock, uuidIds } from '../../packages/adapters-node/src/index.ts'
import { done } from '../../packages/testkit/src/contracts/index.ts'
import { startCluster } from '../../testing/postgres-server/src/index.ts'
import { fillItemsIn } from '../bench/fill.ts'
import { check, folder, options, progress, report } from './campaign.ts'
import { migrate, type OwnEngine, postgresDatabase } from './database.ts'
import { fillDevicesIn } from './fill-devices.ts'
import { statusOf } from './load.ts'
import { addManager, authorize, type Settings, startServer } from './server.ts'

const given = options({
  ...{ rows: 10_000_000, months: 4, ways: 'delete,months,each,record' },
  ...{ rounds: 6, seconds: 10, place: tmpdir() },
})
/** A notification goes to all devices each day. */
const DAYS = 30
const deliveries = given.months * DAYS
const devices = Math.floor(given.rows / deliveries)
const ITEMS = 20_000
const READERS = 2
/** Notifications that wait for their review, enough for all turns. */
const WAITING = 60
/** Milliseconds until the server is as quick as it gets. */
const WARM = 5000

/** As a deployment syncs and caches. */
const cluster = await startCluster(
  [
    ...['fsync=on', 'full_page_writes=on', 'synchronous_commit=on'],
    ...['max_wal_size=1GB', 'shared_buffers=128MB'],
  ],
  given.place,
)

type Way = 'delete' | 'months' | 'each'

/** Deliveries of which the rows of one partition are, from the first on; undefined where there is one table. */
const perPartition: Readonly<Record<Way, number | undefined>> = { delete: undefined, months: DAYS, each: 1 }

/** The statements that put an empty ledger into partitions by ranges of deliveries, behind which one takes all later ones. */
const partitioned = (ledger: string, size: number): ReadonlyArray<string> => {
  const of = (name: string, bounds: string) => `create table ${name} partition of ${ledger} ${bounds}`
  const ranges = Array.from({ length: deliveries / size }, (_, n) =>
    of(`${ledger}_${n}`, `for values from (${n * size + 1}) to (${(n + 1) * size + 1})`),
  )
  return [
    `create table ${ledger} (like ledger including defaults including constraints) partition by range (delivery_id)`,
    `alter table ${ledger} add primary key (delivery_id, device_id)`,
    `alter table ${ledger} add foreign key (delivery_id) references delivery (id)`,
    ...ranges,
    of(`${ledger}_rest`, 'default'),
  ]
}

/** Fills a database with ended deliveries, a day apart, and with the rows of their devices. */
const fill = async (engine: OwnEngine, way: Way): Promise<void> => {
  const ask = (statement: string) => cluster.ask(statement, way)
  await fillItemsIn(engine, ITEMS)
  await fillDevicesIn(engine, devices)
  const size = perPartition[way]
  if (size !== undefined) {
    for (const statement of partitioned('parts', size)) await ask(statement)
    await ask('drop table ledger')
    await ask('alter table parts rename to ledger')
  }
  await ask(`insert into delivery (sending, lang, epoch, started_at, ends_at, finished_at, recipients, delivered, failed, dead, skipped,
      last_device, claimed_upto, next_batch, last_turn)
    select 0, 'en', 0, n, n, n, ${devices}, ${devices}, 0, 0, 0, ${devices}, ${devices}, 0, 0 from generate_series(1, ${deliveries}) n`)
  await ask(`insert into batch (delivery_id, number, after_device, upto_device, remaining, fence, closed)
    select id, n, n * 500, n * 500 + 500, 0, 1, 1 from delivery, generate_series(0, ${Math.floor(devices / 500)}) n`)
  for (let id = 1; id <= deliveries; id += 1) {
    // References are known to hold.
    await ask(`set session_replication_role = replica;
      insert into ledger select ${id}, n, 'delivered', ${id} from generate_series(1, ${devices}) n`)
    if (id % DAYS === 0) progress(`${way}: ${id} of ${deliveries} deliveries`)
  }
  await ask('vacuum (analyze) ledger')
  await ask('checkpoint')
}

interface Sizes {
  readonly bytes: number
  readonly place: string
}

const sizesOf = async (name: string): Promise<Sizes> => {
  const [row] = await cluster.ask(
    `select pg_current_wal_lsn()::text as place, (select sum(pg_total_relation_size(oid))::float8 from pg_class
      where relkind = 'r' and relname ~ '^(ledger|parts)') as bytes`,
    name,
  )
  return { bytes: Number(row?.['bytes']), place: String(row?.['place']) }
}

const MEGABYTE = 1_000_000

/** Does something and returns the seconds and megabytes that it took: of the log, and of the table before and after. */
const measured = async (name: string, work: () => Promise<unknown>) => {
  const before = await sizesOf(name)
  const start = performance.now()
  await work()
  const seconds = (performance.now() - start) / 1000
  const after = await sizesOf(name)
  const [row] = await cluster.ask(
    `select pg_wal_lsn_diff('${after.place}', '${before.place}')::float8 as bytes`,
  )
  return {
    seconds: Math.round(seconds * 1000) / 1000,
    wal: Math.round(Number(row?.['bytes']) / MEGABYTE),
    sizes: [before, after].map(({ bytes }) => Math.round(bytes / MEGABYTE)),
  }
}

/** Makes the step of a purge, which returns whether there may be more: 2,000 rows, or one partition. */
const makeStep = (engine: OwnEngine, way: Way) => {
  const { retention } = makeStore(engine)
  const size = perPartition[way]
  let dropped = 0
  /** @param last the last delivery whose rows are to go */
  return async (last: number): Promise<boolean> => {
    if (size === undefined) return (await done(retention.purgeDeliveries(last as Instant))) > 0
    if ((dropped + 1) * size > last) return false
    const ids = `between ${dropped * size + 1} and ${(dropped + 1) * size}`
    await cluster.ask(
      `begin; set local lock_timeout = '1s'; drop table parts_${dropped};
        delete from batch where delivery_id ${ids}; update delivery set has_rows = 0 where id ${ids}; commit`,
      way,
    )
    dropped += 1
    return true
  }
}

/** Schedules notifications for now. */
const schedule = async (engine: OwnEngine): Promise<void> => {
  const { notifications } = makeStore(engine)
  const ids = uuidIds()
  for (let n = 0; n < WAITING; n += 1)
    await done(
      notifications.add({
        ...{
          id: ids.nextNotificationId(),
          revision: 1,
          lang: 'en',
          title: `Notification ${n}` as MessageText,
        },
        ...{ subtitle: O.none, description: O.none, date: O.some(systemClock.now()) },
        ...{ resourceId: O.none, labelId: O.none },
      }),
    )
}

const quantile = (times: ReadonlyArray<number>, part: number): number =>
  Math.round((times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * part)] ?? 0) * 10) / 10

/** What pages and pushes there were in the turns of a kind. */
interface Turns {
  seconds: number
  pushes: number
  readonly times: Array<number>
}

const newTurns = (): Turns => ({ seconds: 0, pushes: 0, times: [] })

const percent = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`

const figuresOf = ({ seconds, pushes, times }: Turns) => ({
  pages: Math.round(times.length / seconds),
  pushes: Math.round(pushes / seconds),
  p50: quantile(times, 0.5),
  p99: quantile(times, 0.99),
  longest: quantile(times, 1),
})

/** Reads pages and sends pushes by a server, by turns with the purge and without. */
const besideOthers = async (name: Way, settings: Settings, step: () => Promise<boolean>) => {
  const credentials = addManager(folder, settings)
  const server = await startServer(folder, {
    ...{ ALMONER_CACHE: '0', ALMONER_REVIEW_EVERY: '1', ALMONER_LOG_LEVEL: 'warn' },
    ...{ ALMONER_PUSH: `file:${folder}/pushes-${name}` },
    ...settings,
  })
  const { authorization } = await authorize(server.url, credentials)
  const agent = new Agent({ keepAlive: true, maxSockets: READERS })
  const turns: Readonly<Record<'with' | 'without', Turns>> = { with: newTurns(), without: newTurns() }
  let present: Turns | undefined
  let isOver = false
  const reading = async (reader: number) => {
    for (let n = reader; !isOver; n += READERS) {
      const start = performance.now()
      const url = `${server.url}/library/?lim=20&offset=${(n * 37) % 4000}`
      const status = await statusOf(url, { agent, headers: { authorization } })
      check(status === 200, `a reader got ${status}`)
      present?.times.push(performance.now() - start)
    }
  }
  const pushed = async () => {
    const sum = `select coalesce(sum(delivered), 0)::float8 as count from delivery where id > ${deliveries}`
    const [row] = await cluster.ask(sum, name)
    return Number(row?.['count'])
  }
  let steps = 0
  const turn = async (kind: keyof typeof turns) => {
    const [turned, before, start] = [turns[kind], await pushed(), performance.now()]
    const left = () => given.seconds * 1000 - (performance.now() - start)
    present = turned
    // Of partitions one goes in each turn: that takes milliseconds.
    for (let done = 0; kind === 'with' && left() > 0 && (name === 'delete' || done === 0); done += 1) {
      if (!(await step())) break
      steps += 1
    }
    await pause(Math.max(0, left()))
    present = undefined
    turned.seconds += (performance.now() - start) / 1000
    turned.pushes += (await pushed()) - before
  }
  const readers = Array.from({ length: READERS }, (_, n) => reading(n))
  while ((await pushed()) === 0) await pause(500)
  await pause(WARM)
  for (let round = 0; round < given.rounds; round += 1) {
    for (const kind of round % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const))
      await turn(kind)
    progress(`${name}: round ${round + 1} of ${given.rounds}`)
  }
  isOver = true
  await Promise.all(readers)
  agent.destroy()
  await server.stop()
  const [busy, quiet] = [figuresOf(turns.with), figuresOf(turns.without)]
  check(quiet.pushes > 0 && busy.pushes > 0, `${name}: turns without pushes`)
  return {
    ...{ steps, with: busy, without: quiet },
    left: { pages: percent(busy.pages, quiet.pages), pushes: percent(busy.pushes, quiet.pushes) },
  }
}

/** Measures one way: a month alone, a vacuum after it, and the rest beside others. */
const measureWay = async (way: Way) => {
  const database = await postgresDatabase(cluster, way)
  const engine = await database.open()
  await migrate(engine)
  await fill(engine, way)
  const step = makeStep(engine, way)
  const month = await measured(way, async () => {
    while (await step(DAYS));
  })
  const vacuum = await measured(way, () => cluster.ask('vacuum (analyze) ledger, batch', way))
  await schedule(engine)
  const beside = await besideOthers(way, database.settings, () => step(deliveries))
  await engine.close()
  await cluster.ask(`drop database ${way} with (force)`)
  return { month, vacuum, beside }
}

/** Batches that are recorded at a time, and the devices of each. */
const [BATCHES, BATCH] = [200, 100]

/** Compares the time of recording batches in each kind of table, by turns, as a share of that in one table. */
const measureRecording = async () => {
  const { open } = await postgresDatabase(cluster, 'record')
  const engine = await open()
  await migrate(engine)
  await cluster.ask(
    [
      `insert into delivery (sending, lang, epoch, started_at, ends_at, recipients, delivered, failed, dead, skipped, last_device,
        claimed_upto, next_batch, last_turn) select 0, 'en', 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0 from generate_series(1, ${deliveries})`,
      ...partitioned('months', DAYS),
      ...partitioned('each_one', 1),
    ].join(';'),
    'record',
  )
  const run = queryCache()
  const marks = (count: number, mark: string) => Array.from({ length: count }, () => mark).join(', ')
  /** Records batches as a review does, and undoes it. */
  const record = async (table: string): Promise<number> => {
    let taken = 0
    await engine.write(async (db) => {
      const start = performance.now()
      for (let n = 0; n < BATCHES; n += 1) {
        const ids = Array.from({ length: BATCH }, (_, at) => n * BATCH + at)
        const delivery = deliveries - (n % 5)
        await run(
          db,
          `select device_id from ${table} where delivery_id = ? and device_id in (${marks(BATCH, '?')})`,
          [delivery, ...ids],
        )
        await run(
          db,
          `insert into ${table} (delivery_id, device_id, outcome, at) values ${marks(BATCH, '(?, ?, ?, ?)')}`,
          ids.flatMap((id) => [delivery, id, 'delivered', 1]),
        )
      }
      taken = performance.now() - start
      return E.left('undone')
    })()
    return taken
  }
  const tables = ['ledger', 'months', 'each_one']
  for (const table of tables) await record(table)
  const times = Object.fromEntries(tables.map((table) => [table, [] as Array<number>]))
  for (let round = 0; round < given.rounds * 4; round += 1)
    for (const table of round % 2 === 0 ? tables : tables.toReversed())
      times[table]?.push(await record(table))
  await engine.close()
  const medians = tables.map((table) => quantile(times[table] ?? [], 0.5))
  const [plain = 0] = medians
  return Object.fromEntries(
    tables.map((table, n) => [
      table,
      {
        microseconds: Math.round(((medians[n] ?? 0) * 1000) / BATCHES / BATCH),
        of: percent(medians[n] ?? 0, plain),
      },
    ]),
  )
}

const ways = given.ways.split(',')
const figures: Record<string, unknown> = {}
if (ways.includes('record')) figures['record'] = await measureRecording()
for (const way of ['delete', 'months', 'each'] as const)
  if (ways.includes(way)) figures[way] = await measureWay(way)
await cluster.stop()
report({ ...given, devices, figures })
