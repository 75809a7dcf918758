// Measures what the end of a month of the ledger costs on PostgreSQL (G8), on a server that syncs its log: rows that are deleted in small steps, as the
// service does, beside a table in partitions that are dropped, one for each month (`months`) or for each delivery (`each`). First alone: time, log
// and size. Then beside readers of uncached pages and a review, by turns with it and without it: the share of pages and pushes that are left.
// `statements` compares those of a review and of an erasure on one table and on partitions. Findings are errors only: the figures are for a decision.
// Usage: node tools/stress/retention.ts [--rows 10000000] [--months 4] [--ways delete,months,each,statements] [--rounds 6] [--seconds 10] [--place FOLDER]
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
  ...{ rows: 10_000_000, months: 4, ways: 'delete,months,each,statements' },
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
  Math.round((times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * part)] ?? 0) * 100) / 100

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
const [BATCHES, BATCH] = [100, 100]

const TABLES = ['ledger', 'months', 'each_one'] as const
const WORK = ['record', 'claim', 'erase'] as const

const marks = (count: number, mark = '?') => Array.from({ length: count }, () => mark).join(', ')

/** Makes a run of a review's statements and of an erasure's on one connection, undone at its end. It returns the milliseconds of each, and kB of memory. */
const makeStatements = (engine: OwnEngine, table: (typeof TABLES)[number]) => {
  const run = queryCache()
  return async (): Promise<Readonly<Record<(typeof WORK)[number] | 'memory', number>>> => {
    const taken = { record: 0, claim: 0, erase: 0, memory: 0 }
    await engine.write(async (db) => {
      const timed = async (work: (typeof WORK)[number], text: string, values: ReadonlyArray<unknown>) => {
        const start = performance.now()
        await run(db, text, values)
        taken[work] += (performance.now() - start) / BATCHES
      }
      const about = `from ${table} where delivery_id = ? and device_id`
      for (let n = 0; n < BATCHES; n += 1) {
        const ids = Array.from({ length: BATCH }, (_, at) => n * BATCH + at)
        const delivery = deliveries - (n % 5)
        const [first, last] = [n * BATCH, (n + 1) * BATCH]
        await timed('claim', `select device_id ${about} > ? and device_id <= ?`, [delivery, first, last])
        await timed('record', `select device_id ${about} in (${marks(BATCH)})`, [delivery, ...ids])
        const rows = ids.flatMap((id) => [delivery, id, 'delivered', 1])
        await timed('record', `insert into ${table} values ${marks(BATCH, '(?, ?, ?, ?)')}`, rows)
        const erased = `delete from ${table} where device_id = ? and delivery_id in (select id from delivery where has_rows = 1)`
        await timed('erase', erased, [n * BATCH])
      }
      const used = 'select sum(used_bytes)::float8 / 1024 as kb from pg_backend_memory_contexts'
      taken.memory = (await run<{ readonly kb: number }>(db, used, []))[0]?.kb ?? 0
      return E.left('undone')
    })()
    return taken
  }
}

/** Compares statements on each kind of table, by turns: medians in milliseconds, and the memory of a connection that has prepared them. */
const measureStatements = async () => {
  const database = await postgresDatabase(cluster, 'statements')
  const first = await database.open()
  await migrate(first)
  await first.close()
  await cluster.ask(
    [
      `insert into delivery (sending, lang, epoch, started_at, ends_at, recipients, delivered, failed, dead, skipped, last_device,
        claimed_upto, next_batch, last_turn) select 0, 'en', 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0 from generate_series(1, ${deliveries})`,
      ...partitioned('months', DAYS),
      ...partitioned('each_one', 1),
      ...TABLES.map(
        (table) => `insert into ${table} select d, n, 'delivered', 1
        from generate_series(1, ${deliveries}) d, generate_series(20001, 20500) n; analyze ${table}`,
      ),
    ].join(';'),
    'statements',
  )
  const engines = await Promise.all(TABLES.map(database.open))
  const kinds = TABLES.map((table, n) => ({
    ...{ table, run: makeStatements(engines[n] as OwnEngine, table) },
    runs: [] as Array<Awaited<ReturnType<ReturnType<typeof makeStatements>>>>,
  }))
  for (const { run } of kinds) await run()
  for (let round = 0; round < given.rounds * 2; round += 1)
    for (const { run, runs } of round % 2 === 0 ? kinds : kinds.toReversed()) runs.push(await run())
  await Promise.all(engines.map((engine) => engine.close()))
  const median = (runs: (typeof kinds)[number]['runs'], of: keyof (typeof runs)[number]) => {
    const all = runs.map((run) => run[of])
    return quantile(all, 0.5)
  }
  const figures = ({ runs }: (typeof kinds)[number]) =>
    Object.fromEntries([...WORK, 'memory' as const].map((of) => [of, median(runs, of)]))
  return Object.fromEntries(kinds.map((kind) => [kind.table, figures(kind)]))
}

const ways = given.ways.split(',')
const figures: Record<string, unknown> = {}
if (ways.includes('statements')) figures['statements'] = await measureStatements()
for (const way of ['delete', 'months', 'each'] as const)
  if (ways.includes(way)) figures[way] = await measureWay(way)
await cluster.stop()
report({ ...given, devices, figures })
