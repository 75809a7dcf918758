// Kills the server with SIGKILL at random moments while four clients write, and looks whether anything that was acknowledged is
// lost. Usage: node tools/stress/kill.ts [rounds]
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { authorization, newManager, type Running, startServer } from './server.ts'

const ROUNDS = Number(process.argv[2] ?? 50)
const WRITERS = 4
/** A kill comes within so many milliseconds of the writers' start. */
const WITHIN = 900

type Json = Record<string, unknown>
type Headers = { readonly authorization: string }

/** What was acknowledged, by item: its last acknowledged title, and the writes whose answer never came. */
interface Expected {
  title: string
  /** A title that was sent and not answered: it may be there instead. */
  maybeTitle?: string | undefined
  hasImage: boolean
  maybeImage: boolean
}

const folder = mkdtempSync(join(tmpdir(), 'almoner-kill-'))
const expected = new Map<string, Expected>()
const counts = { creates: 0, updates: 0, uploads: 0, unanswered: 0 }

const image = (n: number) =>
  sharp({ create: { width: 400, height: 560, channels: 3, background: { r: n % 256, g: 90, b: 160 } } })
    .jpeg()
    .toBuffer()

const post = async (url: string, headers: Headers, body: Json | FormData): Promise<Json> => {
  const json = !(body instanceof FormData)
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...headers, ...(json ? { 'content-type': 'application/json' } : {}) },
    body: json ? JSON.stringify(body) : body,
  })
  const answer = await response.json()
  if (response.status !== 200) throw new Error(`status ${response.status}: ${JSON.stringify(answer)}`)
  return typeof answer === 'string' ? { answer } : (answer as Json)
}

const photo = (title: string) => ({
  itemType: 'photo',
  itemTitle: title,
  itemDescription: 'A post of the campaign.',
})

/** One writer: creates, updates and illustrates posts until its server is gone. */
const write = async (url: string, headers: Headers, writer: string): Promise<void> => {
  for (let n = 0; ; n += 1) {
    const title = `${writer} ${n}`
    const created = await post(`${url}/feed/`, headers, photo(title))
    const id = String((created['item'] as Json)['itemId'])
    const state: Expected = { title, hasImage: false, maybeImage: false }
    expected.set(id, state)
    counts.creates += 1
    const form = new FormData()
    form.set('itemUploadMedia', new Blob([new Uint8Array(await image(n))]), 'photo.jpg')
    state.maybeImage = true
    await post(`${url}/feed/${id}/media`, headers, form)
    state.hasImage = true
    counts.uploads += 1
    state.maybeTitle = `${title} edited`
    await post(`${url}/feed/${id}`, headers, {
      ...photo(state.maybeTitle),
      status: n % 2 === 0 ? 'Live' : 'Draft',
    })
    state.title = state.maybeTitle
    state.maybeTitle = undefined
    counts.updates += 1
  }
}

const isGone = (error: unknown): boolean => error instanceof TypeError && error.message === 'fetch failed'

/** Lets writers write until the kill; anything but a lost connection is a finding. */
const round = async (server: Running, headers: Headers, name: string): Promise<void> => {
  const writers = Array.from({ length: WRITERS }, async (_, n) => {
    try {
      await write(server.url, headers, `${name} writer ${n}`)
    } catch (error) {
      if (!isGone(error) && !(error instanceof SyntaxError) && !/terminated|aborted/.test(String(error)))
        throw error
      counts.unanswered += 1
    }
  })
  await pause(Math.random() * WITHIN)
  server.process.kill('SIGKILL')
  await Promise.all([server.ended, ...writers])
}

const findings: Array<string> = []

const checkItem = async (item: Json, url: string): Promise<void> => {
  const state = expected.get(String(item['itemId']))
  const link = String(item['itemRelatedLink'])
  if (link !== '') {
    const response = await fetch(link)
    await response.arrayBuffer()
    if (response.status !== 200)
      findings.push(`${item['itemId']} points at a missing file: ${link} of ${url}`)
  }
  if (state === undefined) return
  const titles = [state.title, state.maybeTitle]
  if (!titles.includes(String(item['itemTitle']))) findings.push(`${item['itemId']} lost an update`)
  if (state.hasImage && link === '') findings.push(`${item['itemId']} lost its image`)
  if (!state.maybeImage && link !== '') findings.push(`${item['itemId']} has an image nobody sent`)
  // What is there now is what the next round builds on.
  state.title = String(item['itemTitle'])
  state.hasImage = link !== ''
}

/** Every acknowledged write is there, and every image that an item points at is served. */
const verify = async ({ url }: Running, headers: Headers): Promise<void> => {
  const response = await fetch(`${url}/feed/`, { headers })
  const { items } = (await response.json()) as { items: ReadonlyArray<{ item: Json }> }
  const there = new Set(items.map(({ item }) => String(item['itemId'])))
  for (const id of expected.keys()) if (!there.has(id)) findings.push(`${id} was acknowledged and is gone`)
  for (const { item } of items) await checkItem(item, url)
}

const integrity = (): void => {
  const db = new DatabaseSync(join(folder, 'almoner.db'))
  const answer = db.prepare('pragma integrity_check').all()
  const keys = db.prepare('pragma foreign_key_check').all()
  db.close()
  if (JSON.stringify(answer) !== '[{"integrity_check":"ok"}]')
    findings.push(`integrity check: ${JSON.stringify(answer)}`)
  if (keys.length > 0) findings.push(`foreign keys: ${keys.length} broken`)
}

const manager = newManager(folder)
let server = await startServer(folder)
const headers = await authorization(server.url, manager)
for (let n = 1; n <= ROUNDS; n += 1) {
  await round(server, headers, `round ${n}`)
  integrity()
  server = await startServer(folder)
  await verify(server, headers)
  process.stderr.write(`\rround ${n} of ${ROUNDS}, ${expected.size} items, ${findings.length} findings `)
}
server.process.kill('SIGTERM')
await server.ended
const files = readdirSync(join(folder, 'media'), { withFileTypes: true }).filter((entry) => entry.isFile())
process.stdout.write(
  `\n${JSON.stringify({ rounds: ROUNDS, ...counts, items: expected.size, files: files.length, findings }, null, 2)}\n`,
)
rmSync(folder, { recursive: true, force: true })
process.exitCode = findings.length === 0 ? 0 : 1
