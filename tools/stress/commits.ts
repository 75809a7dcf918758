// Two nodes reach one PostgreSQL through a proxy that drops the answer of one commit in twenty, while clients create posts, upload their
// images and create notifications, half of them without idempotency keys. Looks for acknowledged writes that are lost, for anything that is
// there twice, and for broken image links. Usage: node tools/stress/commits.ts [--seconds 300] [--writers 4] [--of 20]

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { GREY, PLAIN, pngOf } from '../../packages/adapters-media/test/corpus/png-file.ts'
import { createClient } from '../../packages/client/src/index.ts'
import { done } from '../../packages/testkit/src/contracts/index.ts'
import { startProxy } from '../../testing/postgres-server/src/index.ts'
import { check, checkTitles, folder, measure, options, report, requests } from './campaign.ts'
import { migrate, postgresDatabase, startPostgres } from './database.ts'
import { addManager, authorize, startServer } from './server.ts'

const { seconds, writers, of } = options({ seconds: 300, writers: 4, of: 20 })
const NODES = 2
/** Black, so that it costs next to nothing. */
const PNG = pngOf({ ...PLAIN, depth: 1, colour: GREY }, Buffer.alloc(0))

const cluster = await startPostgres()
const database = await postgresDatabase(cluster)
const engine = await database.open()
await migrate(engine)
const manager = addManager(folder, database.settings)
const proxy = await startProxy(cluster)
const urls: Array<string> = []
while (urls.length < NODES)
  urls.push((await startServer(folder, { ALMONER_DATABASE: proxy.url('almoner') })).url)

const commits = { all: 0, lost: 0 }
proxy.loseOfCommits(() => {
  commits.all += 1
  if (Math.random() * of >= 1) return 'nothing'
  commits.lost += 1
  return 'answer'
})

/** What was sent, and whether it was acknowledged, by title. */
const sent = { posts: new Map<string, boolean>(), notifications: new Map<string, boolean>() }
const illustrated = new Set<string>()
let isOver = false

/** Removes the key, so that the service cannot recognize a repeated request. */
const withoutKey = (request: Request): Promise<Response> => {
  request.headers.delete('Idempotency-Key')
  return fetch(request)
}

/** Writes with the keys and repeats of `@almoner/client`, or without keys. */
const write = async (kind: 'client' | 'bare', n: number): Promise<void> => {
  const credentials = {
    clientId: manager.get('client_id') ?? '',
    clientSecret: manager.get('client_secret') ?? '',
  }
  const baseUrl = urls[n % urls.length] ?? ''
  const api = createClient({ baseUrl, credentials, ...(kind === 'bare' && { fetch: withoutKey }) })
  const send = <A>(what: string, request: () => Promise<A>) => measure(`${what}, ${kind}`, request, String)
  for (let turn = 0; !isOver; turn += 1) {
    const title = `${kind}-${n}-${turn}`
    const post = { itemType: 'photo', itemTitle: title, itemDescription: title } as const
    const created = await send('posts', () => api.post('/feed/', { body: post }))
    sent.posts.set(title, created !== undefined)
    if (created !== undefined) {
      const { itemId } = created.data.item
      const [path, file] = [{ itemId }, new Uint8Array(PNG)]
      const image = await send('images', () => api.upload('/feed/{itemId}/media', { path, file }))
      if (image !== undefined) illustrated.add(itemId)
    }
    const body = { lang: 'en', title, resource_type: 'Library' } as const
    const notified = await send('notifications', () => api.post('/notification', { body }))
    sent.notifications.set(title, notified !== undefined)
  }
}

const writing = Array.from({ length: writers }, (_, n) => [write('client', n), write('bare', n)]).flat()
await pause(seconds * 1000)
isOver = true
await Promise.all(writing)
proxy.loseOfCommits(() => 'nothing')

const posts = await done(
  engine.read((db) => db.selectFrom('feed_item').select(['id', 'title', 'image_name']).execute()),
)
const notifications = await done(engine.read((db) => db.selectFrom('notification').select('title').execute()))
const titles = (rows: ReadonlyArray<{ title: string }>) => rows.map(({ title }) => title)
checkTitles(sent.posts, titles(posts))
checkTitles(sent.notifications, titles(notifications))

const headers = await authorize(urls[0] ?? '', manager)
const withImage = posts.filter(({ image_name }) => image_name !== null)
for (const { image_name: name } of withImage)
  check(
    (await fetch(`${urls[0]}/static/media/${name}`, { headers })).status === 200,
    `the image ${name} is a broken link`,
  )
for (const id of illustrated)
  check(
    withImage.some((post) => post.id === id),
    `the image of ${id} is lost`,
  )
const files = readdirSync(join(folder, 'media')).filter((name) => name.endsWith('.png'))
const counts = { posts: posts.length, notifications: notifications.length, images: withImage.length }
report({
  seconds,
  writers,
  of,
  commits,
  requests,
  ...counts,
  filesWithoutRow: files.length - withImage.length,
})
