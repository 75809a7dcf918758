// Asks the built server for everything at once, for an hour. Memory and open files must stay as they are.
// Usage: node tools/stress/soak.ts [--seconds 3600] [--rate 200] [--warm 300]
import { readdirSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import sharp from 'sharp'
import { medianBy } from '../bench/compare.ts'
import { fill } from '../bench/fill.ts'
import { memoryOf } from '../bench/processes.ts'
import { check, folder, options, report } from './campaign.ts'
import { atRate, statusOf } from './load.ts'
import { addManager, ask, authorize, runBuilt, startServer } from './server.ts'

/** Requests a second, and the seconds of warm-up at four times that rate, which fill the bounded caches. */
const { seconds, rate, warm } = options({ seconds: 3600, rate: 200, warm: 300 })
/** Seconds between two looks, and of a token: short, so that some hundred are asked for. */
const INTERVAL = 10
const TOKEN_TTL = 60
/** How much more the last quarter may hold than the second. */
const SLACK = 1.1

await fill(join(folder, 'almoner.db'), 10_000)
runBuilt()
const settings = {
  ALMONER_TOKEN_TTL: String(TOKEN_TTL),
  ALMONER_REVIEW_EVERY: '30',
  ALMONER_PUSH: `file:${join(folder, 'pushes')}`,
}
const credentials = addManager(folder, settings, '--role', 'user-manager')
const server = await startServer(folder, settings)
let headers = await authorize(server.url, credentials)
setInterval(async () => {
  headers = await authorize(server.url, credentials)
}, TOKEN_TTL * 500)

const { body: page } = await ask<{ items: Array<{ item: { itemId: string } }> }>(
  `${server.url}/library/?lim=100`,
  headers,
)
const items = page.items.map(({ item }) => item.itemId)

const BOUNDARY = 'almoner-soak'
const part = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="itemUploadMedia"; filename="a"\r\n\r\n`
const cover = Buffer.concat([
  Buffer.from(part),
  await sharp({ create: { width: 1200, height: 600, channels: 3, background: '#1F4E79' } })
    .jpeg()
    .toBuffer(),
  Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
])

interface Request {
  readonly path: string
  readonly body?: string | Buffer
  readonly method?: string
}

const form = (path: string, fields: Readonly<Record<string, string>>, method = 'POST'): Request => ({
  path,
  body: new URLSearchParams(fields).toString(),
  method,
})
const read = (path: string): Request => ({ path })
const text = (n: number) => ({ itemTitle: `Title ${n}`, itemDescription: 'The outcome of a donation.' })
const LINK = { link: 'https://example.org/report.pdf' }
const NEWS = { title: 'News', subtitle: 'Of today', description: 'Read.', resource_type: 'Library' }
const userOf = (n: number) => `/user/donor${n % 500}@example.org/notification`

/** One request in forty each. All others are pages, which are not cached, and items, which are. */
const RARE: ReadonlyArray<readonly [kind: string, make: (n: number, item: string) => Request]> = [
  ['create', (n) => form('/library/', { ...text(n), ...LINK, itemPublicationDate: '2026-05-01' })],
  ['update', (n, item) => form(`/library/${item}`, { ...text(n), ...LINK, status: 'Draft' })],
  ['post', (n) => form('/feed/', { ...text(n), itemType: 'photo' })],
  ['attach', (n) => form(`${userOf(n)}/token`, { device_token: `fcm:${n % 2000}` })],
  ['prefer', (n) => form(`${userOf(n)}/preference`, { lang: n % 3 ? 'en' : 'fr' }, 'PUT')],
  ['labels', () => read('/library/label')],
  ['notifications', () => read('/notification?lim=10')],
  ['refused', () => read('/library/?lim=x')],
  ['feed', () => read('/feed/?lim=20')],
]

const requestOf = (n: number): readonly [kind: string, request: Request] => {
  const item = items[n % items.length] ?? ''
  if (n % 400 === 5) return ['upload', { path: `/library/${item}/media/cover`, body: cover }]
  if (n % 2000 === 8) return ['whole', read('/library/')]
  if (n % 8000 === 6) {
    const lang = n % 16_000 === 6 ? 'en' : 'fr'
    return ['schedule', form('/notification', { ...NEWS, lang, date: '1700000000' })]
  }
  const [kind, make] = RARE[n % 40] ?? []
  if (kind !== undefined && make !== undefined) return [kind, make(n, item)]
  if (n % 2 === 0) return ['page', read(`/library/?lim=20&offset=${n % 3000}`)]
  return ['item', read(`/library/${item}`)]
}

const work = async (perSecond: number, seconds: number): Promise<Record<string, number>> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const counts: Record<string, number> = {}
  await atRate(perSecond, AbortSignal.timeout(seconds * 1000), async (n) => {
    const [kind, { path, body, method }] = requestOf(n)
    const type =
      kind === 'upload' ? `multipart/form-data; boundary=${BOUNDARY}` : 'application/x-www-form-urlencoded'
    const own = body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) }
    const request = { agent, method, headers: { ...headers, ...own }, body }
    const outcome = await statusOf(`${server.url}${path}`, request).catch(String)
    counts[kind] = (counts[kind] ?? 0) + 1
    check(outcome === (kind === 'refused' ? 400 : 200), `${kind} ${path}: ${outcome}`)
  })
  agent.destroy()
  return counts
}

/** Reads memory in megabytes and the number of open files. */
const look = async () => {
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  const megabytes = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1]) / 2 ** 20
  const { pid = 0 } = server.process
  return {
    memory: memoryOf(pid, 'VmRSS'),
    heap: megabytes('nodejs_heap_size_used_bytes'),
    buffers: megabytes('nodejs_external_memory_bytes'),
    files: readdirSync(`/proc/${pid}/fd`).length,
  }
}
type Look = Awaited<ReturnType<typeof look>>

await work(rate * 4, warm)
const looks: Array<Look> = [await look()]
const looking = setInterval(async () => looks.push(await look()), INTERVAL * 1000)
const requests = await work(rate, seconds)
clearInterval(looking)

const quarters = [0, 1, 2, 3].map((quarter) => {
  const part = looks.slice((looks.length * quarter) / 4, (looks.length * (quarter + 1)) / 4)
  const median = (key: keyof Look) => Math.round(medianBy(part, (one) => one[key])[key])
  return {
    memory: median('memory'),
    heap: median('heap'),
    buffers: median('buffers'),
    files: median('files'),
  }
})
const [, second, , last] = quarters
check(Number(last?.memory) <= Number(second?.memory) * SLACK, 'memory has grown')
check(Number(last?.files) <= Number(second?.files) + 5, 'the number of open files has grown')
report({ seconds, rate, requests, quarters })
