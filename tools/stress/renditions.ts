// Requests all renditions of many images at once, for the first time, and looks how readers fare meanwhile (D8, I6).
// Usage: node tools/stress/renditions.ts [--images 50]
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { RENDITION_WIDTHS } from '../../packages/domain/src/media/index.ts'
import { fill } from '../bench/fill.ts'
import { check, folder, options, report } from './campaign.ts'
import { readMeanwhile, readQuietly, statusOf } from './load.ts'
import { addManager, ask, authorize, runBuilt, startServer } from './server.ts'

const { images } = options({ images: 50 })

/** Milliseconds that the p99 of reads may have at least, and the factor of its quiet value. */
const [MOST_DELAY, FACTOR] = [25, 3]
/** Seconds after which a request that got 503 is repeated, and how often. */
const [RETRY_AFTER, MOST_TRIES] = [1, 60]

runBuilt()
await fill(join(folder, 'almoner.db'), 10_000)
const server = await startServer(folder, {
  ALMONER_LOG_LEVEL: 'warn',
  ALMONER_REVIEW: 'off',
  ALMONER_CACHE: '0',
})
const { authorization } = await authorize(server.url, addManager(folder))

const upload = async (itemId: string): Promise<string> => {
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const
  const create = { width: 2400, height: 1200, channels: 3, background: '#1F4E79', noise } as const
  const form = new FormData()
  const bytes = await sharp({ create }).jpeg({ quality: 80 }).toBuffer()
  form.append('itemUploadMedia', new Blob([new Uint8Array(bytes)]), 'cover.jpg')
  const { status } = await ask(`${server.url}/library/${itemId}/media/cover`, { authorization }, form)
  check(status === 200, `an upload got ${status}`)
  const { body } = await ask(`${server.url}/library/${itemId}`, { authorization })
  const [, name = ''] = /\/static\/media\/([\w-]+)\.jpg/.exec(JSON.stringify(body)) ?? []
  return name
}

const page = await ask<{ items: Array<{ item: { itemId: string } }> }>(
  `${server.url}/library/?lim=${images}`,
  { authorization },
)
const names: Array<string> = []
for (const { item } of page.body.items) names.push(await upload(item.itemId))

/** Requests a rendition until it is there, and returns how often it got 503. */
const request = async (path: string): Promise<number> => {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const status = await statusOf(server.url + path, { agent: false, headers: {} })
    if (status === 200) return tries
    check(status === 503, `${path} got ${status}`)
    await pause(RETRY_AFTER * 1000)
  }
  check(false, `${path} was never there`)
  return MOST_TRIES
}

await readQuietly(server.url, authorization, 5)
const quiet = await readQuietly(server.url, authorization, 10)
const end = new AbortController()
const reading = readMeanwhile(server.url, authorization, end.signal)
const start = performance.now()
const repeats = await Promise.all(
  names.flatMap((name) => RENDITION_WIDTHS.map((width) => request(`/static/media/r/${width}/${name}.webp`))),
)
const seconds = (performance.now() - start) / 1000
end.abort()
const during = await reading
await server.stop()
const bound = Math.max(MOST_DELAY, FACTOR * quiet.p99)
check(during.p99 <= bound, `p99 ${during.p99} ms, at most ${bound}`)
report({
  renditions: repeats.length,
  seconds,
  repeated: repeats.reduce((sum, count) => sum + count, 0),
  quiet,
  during,
  bound,
})
