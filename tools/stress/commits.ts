// Two nodes reach one PostgreSQL through a proxy that drops the answer of one commit in twenty, while clients create posts, upload their
// images and create notifications, half of them without keys; looks whether anything acknowledged is lost, anything is there twice, or
// any image link is broken.
// Usage: node tools/stress/commits.ts [--seconds 300] [--writers 4] [--of 20]
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startProxy } from '../../packages/loopback-postgres/src/index.ts'
import { makeWriters, type Sent } from './commits/writers.ts'
import { migrate, newGround } from './database.ts'
import { authorization, newManager, type Running, startServer } from './server.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '300' },
    writers: { type: 'string', default: '4' },
    of: { type: 'string', default: '20' },
  },
})
const NODES = 2

const folder = mkdtempSync(join(tmpdir(), 'almoner-commits-'))
const ground = await newGround('postgres', folder)
if (ground.cluster === undefined) throw new Error('there is no server')
const proxy = await startProxy(ground.cluster)
const engine = await ground.open()
await migrate(engine)
const manager = newManager(folder, ground.settings)

const servers: Array<Running> = []
while (servers.length < NODES)
  servers.push(await startServer(folder, { ALMONER_DATABASE: proxy.url('almoner') }))
const urls = servers.map(({ url }) => url)

const commits = { all: 0, lost: 0 }
proxy.loseOfCommits(() => {
  commits.all += 1
  if (Math.random() * Number(values.of) >= 1) return 'nothing'
  commits.lost += 1
  return 'answer'
})

let over = false
const credentials = {
  clientId: manager.get('client_id') ?? '',
  clientSecret: manager.get('client_secret') ?? '',
}
const writers = makeWriters(urls, credentials, () => over)
const writing = writers.run(Number(values.writers))
await pause(Number(values.seconds) * 1000)
over = true
await writing
proxy.loseOfCommits(() => 'nothing')

const findings: Array<string> = []

/** Each acknowledged title is there once, any other at most once. */
const judge = (kind: string, sent: Sent, titles: ReadonlyArray<string>): void => {
  const counts = new Map<string, number>()
  for (const title of titles) counts.set(title, (counts.get(title) ?? 0) + 1)
  for (const [title, isAcknowledged] of sent) {
    const count = counts.get(title) ?? 0
    if (count > 1) findings.push(`${kind} ${title} is there ${count} times`)
    if (isAcknowledged && count === 0) findings.push(`${kind} ${title} is lost`)
  }
}

const posts = await engine.read((db) =>
  db.selectFrom('feed_item').select(['id', 'title', 'image_name']).execute(),
)
const notifications = await engine.read((db) => db.selectFrom('notification').select('title').execute())
judge(
  'post',
  writers.sent.posts,
  posts.map(({ title }) => title),
)
judge(
  'notification',
  writers.sent.notifications,
  notifications.map(({ title }) => title),
)

const headers = await authorization(urls[0] ?? '', manager)
const names = posts.flatMap(({ image_name }) => (image_name === null ? [] : [image_name]))
for (const name of names)
  if ((await fetch(`${urls[0]}/static/media/${name}`, { headers })).status !== 200)
    findings.push(`the image ${name} is a broken link`)
const shown = new Set(posts.flatMap(({ id, image_name }) => (image_name === null ? [] : [String(id)])))
for (const id of writers.sent.images) if (!shown.has(id)) findings.push(`the image of ${id} is lost`)
const files = readdirSync(join(folder, 'media')).filter((name) => name.endsWith('.png'))

for (const { process } of servers) process.kill('SIGTERM')
await Promise.all(servers.map(({ ended }) => ended))
await engine.close()
await proxy.close()
await ground.stop()
const outcome = {
  ...values,
  commits,
  requests: writers.tallies(),
  failures: Object.fromEntries(writers.failures),
  posts: posts.length,
  notifications: notifications.length,
  images: names.length,
  filesWithoutRow: files.length - names.length,
  findings: findings.slice(0, 20),
}
process.stdout.write(`\n${JSON.stringify(outcome, null, 2)}\n`)
rmSync(folder, { recursive: true, force: true })
process.exitCode = findings.length === 0 ? 0 : 1
