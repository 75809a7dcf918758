// Measures what signals of changes are for and what they cost, on PostgreSQL (I8). Reads pages and items on one node while 50 posts a second are
// written on another: at least 99 of 100 answers must come from its response cache. Then 32 writers in two processes create posts, by turns
// with signals and without, on a server that syncs its log: with signals at least 0.9 of the posts must be created.
// Usage: node tools/stress/signals.ts [--seconds 30] [--rounds 120]
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeStore } from '../../packages/adapters-kysely/src/index.ts'
import { done, sampleFeedItem, sampleLibraryItem } from '../../packages/testkit/src/contracts/index.ts'
import { startCluster } from '../../testing/postgres-server/src/index.ts'
import { startHelper } from '../bench/processes.ts'
import { check, folder, options, report } from './campaign.ts'
import { migrate, postgresDatabase } from './database.ts'
import { atRate } from './load.ts'
import { addManager, ask, authorize, startServer } from './server.ts'
import type { WriteRequest } from './signal-writer.ts'

const { seconds, rounds } = options({ seconds: 30, rounds: 120 })
if (seconds > 50) throw new RangeError('--seconds is at most 50: caches are cleared every minute')
/** Posts and answers a second, and the entries of each kind. */
const POSTS = 50
const READS = 200
const ENTRIES = 100
/** Milliseconds, and the seconds by which a measurement may take longer. */
const MINUTE = 60_000
const MARGIN = 5
const WANTED = { hits: 0.99, creates: 0.9 }

/** As a deployment syncs. */
const cluster = await startCluster([
  ...['fsync=on', 'full_page_writes=on', 'synchronous_commit=on'],
  ...['max_wal_size=1GB', 'shared_buffers=128MB'],
])
const database = await postgresDatabase(cluster)
const engine = await database.open()
await migrate(engine)
const { libraryItems, feedItems } = makeStore(engine)
const [library, feed] = [[] as Array<string>, [] as Array<string>]
for (let n = 0; n < ENTRIES; n += 1) {
  const [publication, post] = [sampleLibraryItem(n), sampleFeedItem(n)]
  await done(libraryItems.add({ item: publication, linksToImages: [] }))
  await done(feedItems.add({ item: post, linksToImages: [] }))
  library.push(`/library/${publication.id}`, `/library/?lim=20&offset=${n}`)
  feed.push(`/feed/${post.id}`)
}
await engine.close()

const credentials = addManager(folder, database.settings)
const settings = { ...database.settings, ALMONER_REVIEW: 'off' }
const [written, read] = [await startServer(folder, settings), await startServer(folder, settings)]
const headers = await authorize(written.url, credentials)

/** How often the node that is read has looked for a cached answer, and found one. */
const lookups = async () => {
  const text = await (await fetch(`${read.url}/metrics`)).text()
  const count = (result: string) =>
    Number(
      new RegExp(`^almoner_cache_lookups_total\\{result="${result}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0,
    )
  const found = count('raw_hit') + count('hit')
  return { found, all: found + count('miss') }
}

const post = (n: number) => ({
  itemType: 'link',
  itemTitle: `Post ${n}`,
  itemDescription: 'Text',
  link: `https://example.org/${n}`,
})

/** Waits until the caches are not cleared for as long as a measurement takes, which they are every minute (ADR 17). */
const withinAMinute = async () => {
  const left = MINUTE - (Date.now() % MINUTE)
  if (left < (seconds + MARGIN) * 1000) await pause(left)
}

/** The share of answers from the cache for some paths, while posts are written on the other node. */
const hitShare = async (paths: ReadonlyArray<string>) => {
  await withinAMinute()
  for (const path of paths) await ask(`${read.url}${path}`, headers)
  const before = await lookups()
  const stop = new AbortController()
  let posts = 0
  const writing = atRate(POSTS, stop.signal, async (n) => {
    const { status } = await ask(`${written.url}/feed/`, headers, post(n))
    if (status < 300) posts += 1
  })
  const reading = atRate(READS, stop.signal, async (n) => {
    const { status } = await ask(`${read.url}${paths[n % paths.length]}`, headers)
    check(status === 200, `${status} for ${paths[n % paths.length]}`)
  })
  await pause(seconds * 1000)
  stop.abort()
  await Promise.all([writing, reading])
  const after = await lookups()
  const share = (after.found - before.found) / (after.all - before.all)
  check(share >= WANTED.hits, `${share} of answers came from the cache`)
  check(posts > (seconds * POSTS) / 2, `only ${posts} posts were written`)
  return { share, posts, reads: after.all - before.all }
}

const hits = { library: await hitShare(library), unchangedPosts: await hitShare(feed) }
await Promise.all([written.stop(), read.stop()])

const WRITER = join(import.meta.dirname, 'signal-writer.ts')
const writers = [1, 2].map(() => startHelper(WRITER, [database.settings['ALMONER_DATABASE'] ?? '']))
const create = async (signals: boolean): Promise<number> => {
  const request: WriteRequest = { writers: 16, milliseconds: 250, signals }
  const counts = await Promise.all(writers.map((writer) => writer.ask(request)))
  return counts.reduce<number>((sum, count) => sum + Number(count), 0)
}
await create(true)
/** The posts that were created with signals and without, by turns, so that both meet the same load of the machine. */
const created = { on: 0, off: 0 }
for (let round = 0; round < rounds; round += 1)
  for (const way of round % 2 === 0 ? (['on', 'off'] as const) : (['off', 'on'] as const))
    created[way] += await create(way === 'on')
for (const writer of writers) await writer.stop()
const ratio = created.on / created.off
check(ratio >= WANTED.creates, `with signals ${ratio} of the posts are created`)
await cluster.stop()
report({ hits, creates: { ratio, ...created } })
