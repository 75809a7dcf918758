// Four processes on two addresses behind a balancer read from two standbys of a PostgreSQL server (I8), while standbys stop replaying, halt, crash
// and are promoted, and processes halt and are killed. First counts the statements that uncached pages cost the primary. Looks for a process that
// contradicts what it has answered, an answer that is older than 2 s, lost writes, failed requests, and pushes that never come.
// Usage: pnpm build && node tools/stress/cluster.ts [--seconds 60] [--seed 1]
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import root from 'tap'
import { seeded } from '../../packages/testkit/src/contracts/index.ts'
import { type Standby, startSmallCluster, startStandby } from '../../testing/postgres-server/src/index.ts'
import { check, folder, options, progress, report } from './campaign.ts'
import { postgresDatabase } from './database.ts'
import { fillDevicesIn, languageOf } from './fill-devices.ts'
import { addManager, ask, authorize, runBuilt, type Server, startServer } from './server.ts'

// PostgreSQL's servers end with tap, which the fixtures bring along and which would end after half a minute.
root.setTimeout(0)
runBuilt()

const { seconds, seed } = options({ seconds: 60, seed: 1 })
const below = seeded(seed)

/** Processes by address; the first of each keeps no answers. */
const PLACES = ['127.0.0.1', '127.0.0.1', '127.0.0.2', '127.0.0.2']
const [ITEMS, READERS, DEVICES, PAGES] = [12, 4, 20, 1000]

/** Milliseconds after which every process shows what was acknowledged (I8), after which the balancer asks another one, and which a disturbance lasts at most. */
const [LAG, IMPATIENCE, DISTURBANCE] = [2000, 2500, 4000]

/** Milliseconds until PostgreSQL has counted what idle sessions did. */
const COUNTED = 11_000

const primary = await startSmallCluster()
const database = await postgresDatabase(primary)
const manager = addManager(folder, database.settings)
const engine = await database.open()
await fillDevicesIn(engine, DEVICES)
await engine.close()
const standbys: Array<Standby> = [await startStandby(primary), await startStandby(primary)]

/** A process, with the latest version of each item that it has shown or acknowledged. */
interface Process {
  readonly number: number
  /** Whether it keeps answers. */
  readonly keeps: boolean
  readonly server: Server
  readonly agent: Agent
  readonly shown: Map<string, number>
}
const processes: Array<Process> = []
let started = 0

const start = async (place: number): Promise<void> => {
  const server = await startServer(folder, {
    ...database.settings,
    ALMONER_DATABASE_READS: standbys.map(({ url }) => url('almoner')).join(),
    ALMONER_HOST: PLACES[place] ?? '',
    ALMONER_BASE_URL: 'https://almoner.example.org',
    ALMONER_PUSH: `file:${join(folder, 'pushes')}`,
    ALMONER_CONSOLE: 'off',
    ALMONER_LOG_LEVEL: 'error',
    ...(place % 2 === 0 && { ALMONER_CACHE: '0' }),
  })
  started += 1
  processes[place] = {
    number: started,
    keeps: place % 2 !== 0,
    server,
    agent: new Agent({ keepAlive: true }),
    shown: new Map(),
  }
}

/** Asks a process. Throws if it does not begin to answer in time. */
const pass = async ({ server, agent }: Process, from: IncomingMessage, body: Buffer) => {
  const { connection: _, ...headers } = from.headers
  const signal = AbortSignal.timeout(IMPATIENCE)
  const onward = request(`${server.url}${from.url}`, { method: from.method, headers, agent, signal })
  onward.end(body)
  const [answer] = await once(onward, 'response')
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) }
}

let turn = 0
/** Asks the next process, and for a read that has no answer each of the others. */
const forward = async (from: IncomingMessage, to: ServerResponse): Promise<void> => {
  const body = await buffer(from)
  for (let tries = from.method === 'GET' ? 2 * PLACES.length : 1; ; tries -= 1) {
    turn += 1
    const process = processes[turn % processes.length] as Process
    const answer = await pass(process, from, body).catch(String)
    if (typeof answer === 'object') {
      const { connection: _, 'transfer-encoding': __, ...headers } = answer.headers
      to.writeHead(answer.status ?? 500, { ...headers, 'x-process': process.number }).end(answer.body)
      return
    }
    if (tries === 1) throw new Error(answer)
  }
}
const balancer = createServer((from, to) => {
  forward(from, to).catch(() => (to.headersSent ? to.destroy() : to.writeHead(502).end('{}')))
})
await once(balancer.listen(0, '127.0.0.1'), 'listening')
const url = `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`

interface Shown {
  readonly itemId: string
  readonly itemTitle: string
}
interface Body {
  readonly item?: Shown
  readonly items?: ReadonlyArray<{ readonly item: Shown }>
}
const itemsOf = ({ item, items = [] }: Body): ReadonlyArray<Shown> =>
  item === undefined ? items.map(({ item }) => item) : [item]

/** The latest acknowledged version of an item with the moment of its acknowledgement, and the latest that was sent. */
interface Written {
  readonly id: string
  acknowledged: number
  sent: number
  /** What every process has to show from a moment on. */
  readonly due: Array<{ readonly version: number; readonly from: number }>
}
const written = new Map<string, Written>()
const totals = { reads: 0, writes: 0, refused: 0, unanswered: 0, notifications: 0 }

const versionOf = ({ itemTitle }: Shown): number => Number(itemTitle.split(' ').at(-1))

/** What each process has shown until now. */
const shownByAll = () =>
  new Map(processes.filter(Boolean).map(({ number, shown }) => [number, new Map(shown)]))

const raise = (number: number, id: string, version: number): void => {
  const shown = processes.find((one) => one?.number === number)?.shown
  shown?.set(id, Math.max(version, shown.get(id) ?? 0))
}

/** Checks what an answer shows against what was known when it was asked for. */
const judge = (
  path: string,
  number: number,
  shown: Shown,
  asked: number,
  before: ReturnType<typeof shownByAll>,
): void => {
  const { itemId } = shown
  const version = versionOf(shown)
  const least = before.get(number)?.get(itemId) ?? 0
  const name = `process ${number}${processes.find((one) => one?.number === number)?.keeps ? ', which keeps answers,' : ''}`
  check(version >= least, `${name} shows version ${version} of ${itemId} after ${least} for ${path}`)
  const due = written.get(itemId)?.due.findLast(({ from }) => from <= asked)?.version ?? 0
  check(version >= due, `${name} shows version ${version} of ${itemId}, ${due} is ${LAG} ms old`)
  raise(number, itemId, version)
}

const headers = await (async () => {
  await Promise.all(PLACES.map((_, place) => start(place)))
  return authorize(url, manager)
})()

const read = async (path: string) => {
  const [before, asked] = [shownByAll(), performance.now()]
  const answer = await ask<Body>(`${url}${path}`, headers)
  totals.reads += 1
  check(answer.status === 200, `GET ${path}: status ${answer.status}`)
  if (answer.status !== 200) return undefined
  const number = Number(answer.headers.get('x-process'))
  for (const item of itemsOf(answer.body)) judge(path, number, item, asked, before)
  return answer
}

const fieldsOf = (version: number) => ({
  itemType: 'photo',
  itemTitle: `Version ${version}`,
  itemDescription: 'A post.',
  status: 'Draft',
})

const create = async (): Promise<void> => {
  const { status, body } = await ask<Body>(`${url}/feed/`, headers, fieldsOf(0))
  check(status === 200, `POST /feed/: status ${status}`)
  for (const { itemId } of itemsOf(body))
    written.set(itemId, { id: itemId, acknowledged: 0, sent: 0, due: [] })
}

/** Writes the next version if the item is still the one that was read: a write whose answer never came may come late. */
const write = async (item: Written): Promise<void> => {
  const { id } = item
  const seen = await read(`/feed/${id}`)
  const etag = seen?.headers.get('etag') ?? ''
  item.sent += 1
  const version = item.sent
  const answer = await ask<Body>(`${url}/feed/${id}`, { ...headers, 'if-match': etag }, fieldsOf(version))
  totals.writes += 1
  if (answer.status === 412) totals.refused += 1
  else if (answer.status === 502) totals.unanswered += 1
  else check(answer.status === 200, `POST /feed/${id}: status ${answer.status}`)
  if (answer.status !== 200) return
  item.acknowledged = version
  item.due.push({ version, from: performance.now() + LAG })
  raise(Number(answer.headers.get('x-process')), id, version)
}

const notifications: Array<string> = []
const announce = async (): Promise<void> => {
  const sent = { title: `Notification ${totals.notifications}`, lang: 'en', resource_type: 'Library' }
  totals.notifications += 1
  const body = { ...sent, date: Math.floor(Date.now() / 1000) + 1 }
  const answer = await ask<{ notification: { id: string } }>(`${url}/notification`, headers, body)
  if (answer.status === 200) notifications.push(answer.body.notification.id)
  else check(answer.status === 502, `POST /notification: status ${answer.status}`)
}

/** Scans of the posts on the primary so far, once its sessions have counted them. */
const scans = async (): Promise<number> => {
  await pause(COUNTED)
  const [row] = await primary.ask(
    "select (seq_scan + idx_scan)::int as scans from pg_stat_user_tables where relname = 'feed_item'",
    'almoner',
  )
  return Number(row?.['scans'])
}

/** The share of uncached pages that reach the primary, beside what the processes ask it anyway. */
const shareOfPrimary = async () => {
  for (const standby of standbys) await standby.catchUp()
  const kept = processes.splice(0)
  processes.push(...kept.filter((_, place) => place % 2 === 0))
  for (let n = 0; n < 20; n += 1) await read('/feed/?lim=5')
  const idle = await scans()
  const begun = performance.now()
  const before = await scans()
  const rate = (before - idle) / (performance.now() - begun)
  const asked = performance.now()
  for (let n = 0; n < PAGES; n += 1) await read(`/feed/?lim=${(n % ITEMS) + 1}`)
  const reached = (await scans()) - before - rate * (performance.now() - asked)
  processes.splice(0)
  processes.push(...kept)
  const share = reached / PAGES
  check(share < 0.01, `${share} of the pages reach the primary`)
  return { share, idleScansASecond: rate * 1000 }
}

const acts: Record<string, number> = {}
/** Milliseconds that a disturbance lasts. */
const moment = (): Promise<void> => pause(100 + below(DISTURBANCE))

/** What happens to a standby, until it is as before or has been replaced. Processes learn of another address when they start. */
const OF_STANDBYS: Readonly<Record<string, (standby: Standby, place: number) => Promise<void>>> = {
  'replay paused': async (standby) => {
    await standby.ask('select pg_wal_replay_pause()')
    await moment()
    await standby.ask('select pg_wal_replay_resume()')
  },
  'standby halted': async (standby) => {
    await standby.pause()
    await moment()
    standby.resume()
  },
  'standby crashed': (standby) => standby.restart(),
  'standby promoted': async (standby, place) => {
    await standby.promote()
    await moment()
    standbys[place] = await startStandby(primary)
    await standby.stop()
  },
}
const OF_PROCESSES: Readonly<Record<string, (process: Process, place: number) => Promise<void>>> = {
  'process halted': async ({ server }) => {
    server.process.kill('SIGSTOP')
    await moment()
    server.process.kill('SIGCONT')
  },
  'process killed': async ({ server, agent }, place) => {
    await server.stop('SIGKILL')
    agent.destroy()
    await start(place)
  },
}

const end = { at: 0 }
const repeat = async (work: () => Promise<unknown>): Promise<void> => {
  while (performance.now() < end.at) await work()
}
const disturb = <A>(
  all: ReadonlyArray<A>,
  ways: Readonly<Record<string, (one: A, place: number) => Promise<void>>>,
) =>
  repeat(async () => {
    const place = below(all.length)
    const [name, act] = Object.entries(ways)[below(Object.keys(ways).length)] ?? []
    const one = all[place]
    if (name === undefined || act === undefined || one === undefined) return
    acts[name] = (acts[name] ?? 0) + 1
    progress(`${Math.round((end.at - performance.now()) / 1000)} s left, ${name}`)
    await act(one, place)
    await moment()
  })

/** Checks that the pushes of each acknowledged notification are made. */
const checkPushes = async (): Promise<void> => {
  const readers = Array.from({ length: DEVICES }, (_, n) => languageOf(n)).filter(
    (lang) => lang === 'en',
  ).length
  const unfinished = async () => {
    const rows = await primary.ask(
      'select notification_id, delivered from delivery where finished_at is not null',
      'almoner',
    )
    const delivered = new Map(rows.map((row) => [row['notification_id'], Number(row['delivered'])]))
    return notifications.filter((id) => delivered.get(id) !== readers)
  }
  for (const until = performance.now() + 90_000; performance.now() < until; await pause(500))
    if ((await unfinished()).length === 0) return
  for (const id of await unfinished()) check(false, `${id} was not delivered to ${readers} devices`)
}

for (let n = 0; n < ITEMS; n += 1) await create()
const primaryAsked = await shareOfPrimary()
end.at = performance.now() + seconds * 1000
await Promise.all([
  disturb(standbys, OF_STANDBYS),
  disturb(processes, OF_PROCESSES),
  repeat(() => announce().then(() => pause(1000))),
  ...[...written.values()].map((item) => repeat(() => write(item).then(() => pause(below(200))))),
  ...Array.from({ length: READERS }, (_, n) =>
    repeat(async () => {
      const [item] = [...written.keys()].slice(below(ITEMS))
      await read(n % 2 === 0 ? '/feed/' : `/feed/${item}`)
    }),
  ),
])
await pause(LAG)
const { body } = await ask<Body>(`${url}/feed/`, headers)
const last = new Map(itemsOf(body).map((item) => [item.itemId, versionOf(item)]))
for (const { id, acknowledged, sent } of written.values()) {
  const version = last.get(id) ?? -1
  check(
    version >= acknowledged && version <= sent,
    `${id} is at ${version}, ${acknowledged} was acknowledged`,
  )
}
await checkPushes()
await Promise.all(processes.map(({ server }) => server.stop()))
for (const standby of standbys) await standby.stop()
await primary.stop()
report({ seconds, seed, primaryAsked, ...totals, acts })
