// Four processes on two addresses behind a balancer, with images in S3, read from two standbys of a PostgreSQL server (I8), while standbys stop
// replaying, halt, crash, are slow and are promoted, the primary fails over to one of them, and processes halt, restart and are killed. First counts
// what uncached pages cost the primary, and wrong secrets (A8). Looks for a process that contradicts what it has answered, an answer that is older
// than 2 s, lost writes, writes that were done though they were said to have failed (I5), failed requests, copies that are not what the collections
// show (N2), a disabled client that is let in (A9), and pushes that never come.
// Usage: pnpm build && node tools/stress/cluster.ts [--seconds 60] [--seed 1] [--pages 20000]
import { setTimeout as pause } from 'node:timers/promises'
import { check, progress, report } from './campaign.ts'
import { disturbances, LAG, totals, versionOf, written } from './cluster/oracle.ts'
import { OF_PROCESSES, processes, startAll, stopAll, withoutAnswer } from './cluster/processes.ts'
import { below, counted, database, given, moment, OF_SERVERS } from './cluster/servers.ts'
import * as traffic from './cluster/traffic.ts'
import { fillDevicesIn, languageOf } from './fill-devices.ts'

const [POSTS, PUBLICATIONS, READERS, COPIES, DEVICES, AT_ONCE] = [10, 3, 4, 2, 20, 8]

const engine = await database.open()
await fillDevicesIn(engine, DEVICES)
await engine.close()
await startAll()
await traffic.signIn()
for (let n = 0; n < traffic.FILLERS; n += 1) await traffic.create('feed', false)
for (let n = 0; n < POSTS; n += 1) await traffic.create('feed')
for (let n = 0; n < PUBLICATIONS; n += 1) await traffic.create('library')
const items = [...written.values()]

/** Milliseconds in which every job of a process has its turn. */
const ALL_JOBS = 60_000

/** What the primary has been asked: transactions, and scans of the posts. */
const askedOfPrimary = async () => {
  await counted()
  const [row] = await database.ask(`select scans::int, transactions::int from
    (select seq_scan + idx_scan as scans from pg_stat_user_tables where relname = 'feed_item') as of_table,
    (select xact_commit + xact_rollback as transactions from pg_stat_database where datname = 'almoner') as of_database`)
  return {
    at: performance.now(),
    scans: Number(row?.['scans']),
    transactions: Number(row?.['transactions']),
  }
}

const setAutovacuum = async (value: 'on' | 'off'): Promise<void> => {
  await database.ask(`alter system set autovacuum = ${value}`)
  await database.ask('select pg_reload_conf()')
}

/** The shares of uncached pages that reach the primary, beside what the processes ask it anyway. */
const sharesOfPrimary = async () => {
  // Its transactions count too.
  await setAutovacuum('off')
  await database.catchUp()
  const all = processes.splice(0)
  processes.push(...all.filter(({ keeps }) => !keeps))
  const readPages = async (count: number) => {
    for (let n = 0; n < count; n += AT_ONCE)
      await Promise.all(Array.from({ length: AT_ONCE }, () => traffic.read(`/feed/?lim=${1 + below(POSTS)}`)))
  }
  await readPages(50)
  const idle = await askedOfPrimary()
  await pause(ALL_JOBS)
  const before = await askedOfPrimary()
  await readPages(given.pages)
  const after = await askedOfPrimary()
  await setAutovacuum('on')
  processes.splice(0)
  processes.push(...all)
  const share = (what: 'scans' | 'transactions') => {
    const rate = (before[what] - idle[what]) / (before.at - idle.at)
    return (after[what] - before[what] - rate * (after.at - before.at)) / given.pages
  }
  const shares = { scans: share('scans'), transactions: share('transactions') }
  check(shares.scans < 0.01, `${shares.scans} of the pages are read from the primary`)
  check(shares.transactions < 0.01, `${shares.transactions} transactions of the primary for each page`)
  const idleTransactionsASecond = ((before.transactions - idle.transactions) / (before.at - idle.at)) * 1000
  return { ...shares, idleTransactionsASecond }
}

const acts: Record<string, number> = {}
const end = { at: 0 }
const repeat = async (work: () => Promise<unknown>): Promise<void> => {
  while (performance.now() < end.at) await work()
}
const disturb = <A>(ways: Readonly<Record<string, A>>, act: (way: A) => Promise<void>) =>
  repeat(async () => {
    const [name = '', way] = Object.entries(ways)[below(Object.keys(ways).length)] ?? []
    if (way === undefined) return
    acts[name] = (acts[name] ?? 0) + 1
    progress(`${Math.round((end.at - performance.now()) / 1000)} s left, ${name}`)
    disturbances.add(name)
    await act(way)
    await moment()
    disturbances.delete(name)
  })

/** Checks that each version of an item that was acknowledged was stored once, and none that was said not to be. */
const checkHistory = async ({ id, kind, acknowledged, refused }: (typeof items)[number]): Promise<void> => {
  const stored = (await traffic.versionsStored({ id, kind })).map((itemTitle) => versionOf({ itemTitle }))
  for (const version of acknowledged) {
    const count = stored.filter((one) => one === version).length
    check(count === 1, `version ${version} of ${id} was acknowledged, and stored ${count} times`)
  }
  for (const version of stored)
    check(!refused.has(version), `version ${version} of ${id} was refused, and stored`)
}

/** Checks that the pushes of each acknowledged notification are made. */
const checkPushes = async (): Promise<void> => {
  const readers = Array.from({ length: DEVICES }, (_, n) => languageOf(n)).filter(
    (lang) => lang === 'en',
  ).length
  const unfinished = async () => {
    const rows = await database.ask(
      'select notification_id, delivered from delivery where finished_at is not null',
    )
    const delivered = new Map(rows.map((row) => [row['notification_id'], Number(row['delivered'])]))
    return traffic.notifications().filter((id) => delivered.get(id) !== readers)
  }
  for (const until = performance.now() + 90_000; performance.now() < until; await pause(500))
    if ((await unfinished()).length === 0) return
  for (const id of await unfinished()) check(false, `${id} was not delivered to ${readers} devices`)
}

const ofPrimary = await sharesOfPrimary()
const guesses = await traffic.guess()
end.at = performance.now() + given.seconds * 1000
const copies = Array.from({ length: COPIES }, traffic.makeCopy)
const anyItem = () => items[below(items.length)] as (typeof items)[number]
const READS = [
  () => traffic.readAll('feed'),
  () => traffic.readAll('library'),
  () => traffic.read(`/feed/?lim=${POSTS}`),
  () => traffic.read(`/${anyItem().kind}/${anyItem().id}`),
  () => traffic.readHistory(anyItem()),
]
await Promise.all([
  disturb(OF_SERVERS, (act) => act()),
  disturb(OF_PROCESSES, (act) => {
    const place = below(processes.length)
    const process = processes[place]
    return process === undefined ? pause(1) : act(process, place)
  }),
  repeat(() => traffic.announce().then(() => pause(1000))),
  repeat(traffic.disableAndEnable),
  ...items.map((item) => repeat(() => traffic.write(item).then(() => pause(below(300))))),
  ...items
    .filter(({ kind }) => kind === 'library')
    .map((item) => repeat(() => traffic.upload(item).then(() => pause(below(1000))))),
  ...copies.map(({ update }) => repeat(() => update().then(() => pause(below(300))))),
  ...Array.from({ length: READERS }, () => repeat(async () => READS[below(READS.length)]?.())),
])
await pause(LAG)
for (const item of items) await checkHistory(item)
for (const { compare } of copies) await compare()
await checkPushes()
await stopAll()
await database.stop()
report({
  ...given,
  ofPrimary,
  guesses,
  ...totals,
  notifications: traffic.notifications().length,
  withoutAnswer,
  acts,
})
