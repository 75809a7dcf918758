// Three nodes reach one PostgreSQL through a proxy that cuts their connections at random, while they send notifications and clients
// create posts and edit them; looks whether anything that was acknowledged is lost, anything is there in part or twice, any device is
// left out, any request hangs, and whether the nodes recover.
// Usage: node tools/stress/cuts.ts [--seconds 300] [--outages 0] [--devices 3000]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startProxy } from '../../packages/loopback-postgres/src/index.ts'
import { makeAsking } from './cuts/asking.ts'
import { cutFor } from './cuts/cutter.ts'
import { faultsOfNotifications, faultsOfPosts, makeWriters } from './cuts/writers.ts'
import { newGround } from './database.ts'
import { openRig, type Sender, WINDOW } from './deliver/rig.ts'
import { RENEWED } from './deliver/senders.ts'
import { authorization, newManager } from './server.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '300' },
    outages: { type: 'string', default: '0' },
    devices: { type: 'string', default: '3000' },
  },
})
const SERVERS = 3
const CLIENTS = 4
/** Milliseconds after which every node must be ready again. */
const RECOVERED = 10_000

const folder = mkdtempSync(join(tmpdir(), 'almoner-cuts-'))
const ground = await newGround('postgres', folder)
const { cluster } = ground
if (cluster === undefined) throw new Error('there is no server')
const proxy = await startProxy(cluster)
const rig = await openRig(folder, ground, Number(values.devices))
const { arrivals, findings } = rig
const manager = newManager(folder, ground.settings)

const servers: Array<Sender> = []
while (servers.length < SERVERS) servers.push(await rig.start({ ALMONER_DATABASE: proxy.url('almoner') }))
await rig.settle(rig.sent)

/** Reviews that ended because the database was not there. */
let failedReviews = 0
for (const { running } of servers)
  createInterface({ input: running.process.stderr ?? process.stdin }).on('line', (line) => {
    if (line.includes('"chore":"review"') && line.includes('chore failed')) failedReviews += 1
  })

const urls = servers.map(({ running }) => running.url)
const asking = makeAsking(await authorization(urls[0] ?? '', manager), (finding) => findings.push(finding))
let over = false
const writers = makeWriters(asking, urls, () => over)
const writing = writers.run(CLIENTS)
const cut = await cutFor(proxy, Number(values.seconds), Number(values.outages))

const recovered = async (url: string): Promise<number> => {
  const started = performance.now()
  while ((await fetch(`${url}/health/ready`)).status !== 200) {
    if (performance.now() - started > RECOVERED) {
      findings.push(`${url} has not recovered`)
      break
    }
    await pause(20)
  }
  return Math.round(performance.now() - started)
}
const recovery = Math.max(...(await Promise.all(urls.map(recovered))))
const during = asking.tallies()
for (const url of urls) {
  const { isDone } = await makeAsking(
    await authorization(url, manager),
    (finding) => void findings.push(finding),
  ).ask('afterwards', `${url}/feed/?lim=1`)
  if (!isDone) findings.push(`${url} does not answer afterwards`)
}
over = true
await writing

const all = await rig.engine.read((db) =>
  db.selectFrom('notification').select(['id', 'lang', 'title']).execute(),
)
await rig.settle(all)
const whole = await asking.ask('whole', `${urls[0]}/feed/`)
findings.push(...faultsOfPosts(writers.known, whole.body))
findings.push(
  ...faultsOfNotifications(
    writers.known,
    all.map(({ title }) => title),
  ),
)

const { lost, doubles } = arrivals.judge(all)
if (lost > 0) findings.push(`${lost} pushes never came`)
// What went out is written down again and again until it is kept: only an outage that lasts longer leaves any of it to come twice.
for (const [name, count] of doubles)
  if (count > WINDOW * cut.outages * (name === RENEWED ? SERVERS : 1))
    findings.push(`${count} pushes of ${name} came twice, in ${cut.outages} outages`)

for (const { running } of servers) running.process.kill('SIGTERM')
await Promise.all(servers.map(({ running }) => running.ended))
await rig.close()
await proxy.close()
await ground.stop()
const counts = [...doubles.values()]
const outcome = {
  ...values,
  cut,
  requests: during,
  posts: writers.known.posts.size,
  notifications: all.length,
  pushes: arrivals.count(),
  tokenTooSoon: arrivals.tooSoon(),
  lost,
  doubles: counts.reduce((sum, count) => sum + count, 0),
  mostDoublesOfOneServer: Math.max(0, ...counts),
  failedReviews,
  recovery,
  findings: findings.slice(0, 20),
}
process.stdout.write(`\n${JSON.stringify(outcome, null, 2)}\n`)
rmSync(folder, { recursive: true, force: true })
process.exitCode = findings.length === 0 ? 0 : 1
