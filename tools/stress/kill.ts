// Kills the server with SIGKILL at random moments while four clients write posts and one announcements (G14). Looks for acknowledged writes that
// are lost, images that are not served, schedules that are not carried out (C15), changes without records, records without changes, a wrong index of words, and damage to the
// database. On PostgreSQL every second kill ends the database server as well, as a crash would.
// Usage: node tools/stress/kill.ts [--rounds 50] [--database postgres]
import { writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { makePairs } from './announcements.ts'
import { check, folder, options, progress, report } from './campaign.ts'
import { newDatabase } from './database.ts'
import { checkRecords } from './records.ts'
import { addManager, ask, authorize, type Headers, runCommand, type Server, startServer } from './server.ts'

const { rounds, database: kind } = options({ rounds: 50, database: 'sqlite' })
const database = await newDatabase(kind, folder)
const WRITERS = 4
const LABEL = { labelId: 'water', en: 'Water', fr: 'Eau' }
/** The kill comes at most this many milliseconds after the writers' start. */
const WITHIN = 900

interface Item {
  readonly itemId: string
  readonly status: string
  readonly itemTitle: string
  readonly itemRelatedLink: string
}

/** The acknowledged state of a post, and the write whose answer never came: it may be there instead. */
interface Expected {
  title: string
  maybeTitle?: string
  hasImage: boolean
  maybeImage: boolean
  /** Whether it has a schedule that is due, or had. */
  isScheduled?: boolean
}

const expected = new Map<string, Expected>()
const counts = { creates: 0, updates: 0, schedules: 0, uploads: 0, labels: 0, unanswered: 0 }
const announcements = makePairs()
let records = 0

const photo = (title: string) => ({ itemType: 'photo', itemTitle: title, itemDescription: 'A post.' })

const image = async (n: number): Promise<FormData> => {
  const background = { r: n % 256, g: 90, b: 160 }
  const bytes = await sharp({ create: { width: 400, height: 560, channels: 3, background } })
    .jpeg()
    .toBuffer()
  const form = new FormData()
  form.set('itemUploadMedia', new Blob([new Uint8Array(bytes)]), 'photo.jpg')
  return form
}

/** Creates, illustrates and updates posts until the server is gone, which rejects. */
const write = async (url: string, headers: Headers, writer: string): Promise<void> => {
  const post = async (path: string, body: object) => {
    const answer = await ask<{ item: Item }>(`${url}${path}`, headers, body)
    check(answer.status === 200, `${path}: status ${answer.status}`)
    return answer.body
  }
  for (let n = 0; ; n += 1) {
    const title = `${writer} ${n}`
    const { itemId } = (await post('/feed/', photo(title))).item
    const state: Expected = { title, hasImage: false, maybeImage: false }
    expected.set(itemId, state)
    counts.creates += 1
    await post(`/feed/${itemId}/label`, { labelId: LABEL.labelId })
    counts.labels += 1
    const form = await image(n)
    state.maybeImage = true
    await post(`/feed/${itemId}/media`, form)
    state.hasImage = true
    counts.uploads += 1
    state.maybeTitle = `${title} edited`
    const isScheduled = (n + Number(writer.at(-1))) % 2 === 0
    const aim = isScheduled ? { status: 'Draft', publishAt: 0 } : { status: 'Live' }
    await post(`/feed/${itemId}`, { ...photo(state.maybeTitle), ...aim })
    state.title = state.maybeTitle
    state.isScheduled = isScheduled
    counts.schedules += Number(isScheduled)
    counts.updates += 1
  }
}

/** Lets the writers write until the kill. Only the kill may end them. */
const round = async (server: Server, headers: Headers, n: number): Promise<void> => {
  let killed = false
  const works = [
    ...Array.from({ length: WRITERS }, (_, at) => write(server.url, headers, `round ${n} writer ${at}`)),
    announcements.write(server.url, headers, `round ${n}`),
  ]
  const writers = works.map((work) =>
    work.catch((error) => {
      check(killed, `a request failed before the kill: ${error}`)
      counts.unanswered += 1
    }),
  )
  await pause(Math.random() * WITHIN)
  killed = true
  const crash = n % 2 === 0 ? database.cluster?.restart() : undefined
  await Promise.all([server.stop('SIGKILL'), crash, ...writers])
}

const checkItem = async ({ itemId, itemTitle, itemRelatedLink: link }: Item): Promise<void> => {
  if (link !== '') {
    const response = await fetch(link)
    await response.arrayBuffer()
    check(response.status === 200, `${itemId} points at a missing file: ${link}`)
  }
  const state = expected.get(itemId)
  if (state === undefined) return
  check([state.title, state.maybeTitle].includes(itemTitle), `${itemId} lost an update`)
  check(!state.hasImage || link !== '', `${itemId} lost its image`)
  check(state.maybeImage || link === '', `${itemId} has an image that was not sent`)
  // The next rounds expect the current state.
  const isScheduled = state.isScheduled === true
  expected.set(itemId, { title: itemTitle, hasImage: link !== '', maybeImage: link !== '', isScheduled })
}

/** Milliseconds after the start in which schedules that are due must be carried out (C15). */
const PUNCTUAL = 2000

/** Reads the posts, once all schedules that were acknowledged are carried out or late. */
const readPosts = async ({ url }: Server, headers: Headers): Promise<ReadonlyArray<Item>> => {
  for (const until = performance.now() + PUNCTUAL; ; await pause(100)) {
    const { items } = (await ask<{ items: ReadonlyArray<{ item: Item }> }>(`${url}/feed/`, headers)).body
    const posts = items.map(({ item }) => item)
    const late = posts.filter(
      ({ itemId, status }) => expected.get(itemId)?.isScheduled === true && status !== 'Live',
    )
    if (late.length === 0) return posts
    if (performance.now() < until) continue
    for (const { itemId } of late) check(false, `${itemId} was scheduled and is not Live`)
    return posts
  }
}

/** Checks that every acknowledged write is there and that every image is served. */
const verify = async (server: Server, headers: Headers): Promise<void> => {
  const posts = await readPosts(server, headers)
  const there = new Set(posts.map(({ itemId }) => itemId))
  for (const id of expected.keys()) check(there.has(id), `${id} was acknowledged and is gone`)
  for (const post of posts) await checkItem(post)
  await announcements.verify(server.url, headers)
}

const checkFile = (): void => {
  const db = new DatabaseSync(`${folder}/almoner.db`)
  const integrity = JSON.stringify(db.prepare('pragma integrity_check').all())
  check(integrity === '[{"integrity_check":"ok"}]', `integrity check: ${integrity}`)
  const broken = db.prepare('pragma foreign_key_check').all().length
  check(broken === 0, `foreign keys: ${broken} broken`)
  db.close()
}

const checkIntegrity = async (): Promise<void> => {
  if (kind !== 'postgres') checkFile()
  const engine = await database.open()
  records = await checkRecords(engine, kind === 'postgres' ? 'postgres' : 'sqlite')
  await engine.close()
}

const manager = addManager(folder, database.settings)
const labelFile = `${folder}/labels.json`
writeFileSync(labelFile, JSON.stringify([LABEL]))
runCommand(folder, database.settings, 'labels', 'load', labelFile)
let server = await startServer(folder, database.settings)
const headers = await authorize(server.url, manager)
for (let n = 1; n <= rounds; n += 1) {
  await round(server, headers, n)
  await checkIntegrity()
  server = await startServer(folder, database.settings)
  await verify(server, headers)
  progress(`round ${n} of ${rounds}, ${expected.size} items`)
}
await server.stop()
await database.stop()
report({ rounds, ...counts, ...announcements.counts, items: expected.size, records })
