// Three nodes reach one PostgreSQL through a proxy that cuts their connections at random, while they send notifications and clients create
// and edit posts. Looks for acknowledged writes that are lost, for posts in part or twice, for devices that are left out, for requests that
// hang, and for nodes that do not recover. Usage: node tools/stress/cuts.ts [--seconds 300] [--outages 0] [--devices 3000]

import { setTimeout as pause } from 'node:timers/promises'
import { done } from '../../packages/testkit/src/contracts/index.ts'
import { startProxy } from '../../testing/postgres-server/src/index.ts'
import { RENEWED } from './arrivals.ts'
import { check, checkTitles, findings, folder, measure, options, report, requests } from './campaign.ts'
import { postgresDatabase, startPostgres } from './database.ts'
import { openDelivery, WINDOW } from './delivery.ts'
import { addManager, ask, authorize, type StressResponse } from './server.ts'
import { makePosts } from './versioned-posts.ts'

const { seconds, outages, devices } = options({ seconds: 300, outages: 0, devices: 3000 })
const SERVERS = 3
const CLIENTS = 4
/** Milliseconds after which a request hangs: no wait for the database that the service allows is as long. */
const HANGS = 15_000
/** Milliseconds within which every node must be ready again. */
const RECOVERED = 10_000
/** Milliseconds between two cuts, at most. One cut in fifty cuts all connections. */
const MS_BETWEEN_CUTS = 200
const CUTS_FOR_ONE_OF_ALL = 50
/** Milliseconds of an outage: longer than a node tries to record what it has sent. Connections live this long meanwhile. */
const OUTAGE = 12_000
const MS_BETWEEN_CUTS_OF_OUTAGE = 5

const cluster = await startPostgres()
const database = await postgresDatabase(cluster)
const proxy = await startProxy(cluster)
const delivery = await openDelivery(database, devices)
const manager = addManager(folder, database.settings)
const servers = []
while (servers.length < SERVERS)
  servers.push(await delivery.start({ ALMONER_DATABASE: proxy.url('almoner') }))
await delivery.settle(delivery.sent)
const urls = servers.map(({ url }) => url)
const anyUrl = (): string => urls[Math.floor(Math.random() * SERVERS)] ?? ''

let failedReviews = 0
for (const { log } of servers)
  log.on('line', (line) => {
    if (line.includes('"job":"review"') && line.includes('job failed')) failedReviews += 1
  })

const headers = await authorize(anyUrl(), manager)
/** Only 503 is allowed beside 200, and only if it says when to repeat or that the outcome is unknown. */
const outcomeOf = (kind: string, error: unknown): string => {
  const { status, headers, body } = error as Partial<StressResponse<{ code?: string }>>
  if (status === 503 && (headers?.has('retry-after') || body?.code === 'outcome_unknown'))
    return 'unavailable'
  findings.push(`${kind}: ${status ?? error} ${JSON.stringify(body)}`)
  return 'wrong'
}

/** Sends a request. Returns undefined unless it is answered with 200. */
const send = <A>(kind: string, url: string, body?: object): Promise<A | undefined> =>
  measure(
    kind,
    async () => {
      const answer = await ask<A>(url, headers, body, AbortSignal.timeout(HANGS))
      if (answer.status !== 200) throw answer
      return answer.body
    },
    (error) => outcomeOf(kind, error),
  )

const posts = makePosts((kind, path, body) => send(kind, `${anyUrl()}${path}`, body))
/** The titles that were sent, and whether the creation was acknowledged. */
const notifications = new Map<string, boolean>()
let isOver = false

const read = async (): Promise<void> => {
  for (; !isOver; await pause(Math.random() * 50)) await send('pages', `${anyUrl()}/feed/?lim=20`)
}

const notify = async (): Promise<void> => {
  for (let n = 0; !isOver; n += 1) {
    const [title, lang, date] = [`Told ${n}`, n % 2 === 0 ? 'en' : 'fr', Math.floor(Date.now() / 1000)]
    const body = { lang, title, date, resource_type: 'Library' }
    const created = await send('notifications', `${anyUrl()}/notification`, body)
    notifications.set(title, created !== undefined)
    await pause(3000)
  }
}

const cut = { one: 0, all: 0, outages: 0 }
const outage = async (): Promise<void> => {
  for (
    const end = performance.now() + OUTAGE;
    performance.now() < end;
    await pause(MS_BETWEEN_CUTS_OF_OUTAGE)
  )
    proxy.cut()
  cut.outages += 1
}
const cutConnections = async (): Promise<void> => {
  const start = performance.now()
  const passed = () => (performance.now() - start) / 1000 / seconds
  for (; passed() < 1; await pause(Math.random() * MS_BETWEEN_CUTS)) {
    if (passed() > (cut.outages + 0.5) / outages) await outage()
    else if (Math.random() * CUTS_FOR_ONE_OF_ALL < 1) {
      proxy.cut()
      cut.all += 1
    } else if (proxy.resetOne()) cut.one += 1
  }
}

const recover = async (url: string): Promise<number> => {
  const start = performance.now()
  const passed = () => Math.round(performance.now() - start)
  while ((await fetch(`${url}/health/ready`)).status !== 200 && passed() < RECOVERED) await pause(20)
  check(passed() < RECOVERED, `${url} has not recovered`)
  return passed()
}

const clients = Array.from({ length: CLIENTS }, (_, n) => [posts.write(`w${n}`, () => isOver), read()]).flat()
const working = Promise.all([...clients, notify()])
await cutConnections()
const recovery = Math.max(...(await Promise.all(urls.map(recover))))
const during = structuredClone(requests)
for (const url of urls)
  check((await send('afterwards', `${url}/feed/?lim=1`)) !== undefined, `${url} does not answer afterwards`)
isOver = true
await working

const all = await done(
  delivery.engine.read((db) => db.selectFrom('notification').select(['id', 'lang', 'title']).execute()),
)
await delivery.settle(all)
checkTitles(
  notifications,
  all.filter(({ title }) => title.startsWith('Told')).map(({ title }) => title),
)
const written = await posts.judge()

// Only an outage outlasts the attempts to record what was sent; what was in flight then may come twice.
const judged = delivery.judge(all, (name) => WINDOW * cut.outages * (name === RENEWED ? SERVERS : 1))
const counts = { posts: written, notifications: all.length, failedReviews, recovery }
report({ seconds, outages, devices, cut, requests: during, ...judged, ...counts })
