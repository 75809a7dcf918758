// Apps read the whole of a large service with GET /changes, page by page, as they do at their first start (N1). Memory has to stay bounded for one
// reader and for several at once, however many items there are. The resident size is that of the server's process, read from Linux, beside the
// one before the first page.
// Usage: pnpm build && node tools/stress/first-copies.ts [--items 100000] [--readers 8] [--database postgres]
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { fillChanges } from '../../packages/adapters-kysely/src/changes.ts'
import { done } from '../../packages/testkit/src/contracts/index.ts'
import { fillItemsIn } from '../bench/fill.ts'
import { check, folder, options, progress, report } from './campaign.ts'
import { migrate, newDatabase } from './database.ts'
import { addManager, authorize, runBuilt, startServer } from './server.ts'

runBuilt()

const given = options({ items: 100_000, readers: 8, database: 'sqlite' })
/** The most memory that readers may add, in bytes. */
const MOST_ADDED = 100e6
/** Pages that are read first: what a server that works needs. */
const FIRST = 20

const database = await newDatabase(given.database, folder)
const engine = await database.open()
await migrate(engine)
await fillItemsIn(engine, given.items)
await done(
  engine.write(async (db) => {
    for (const statement of fillChanges(engine.dialect.positions)) await sql.raw(statement).execute(db)
    return { _tag: 'Right', right: undefined }
  }),
)
await engine.close()
const form = addManager(folder, database.settings)
const settings = { ALMONER_LOG_LEVEL: 'error', ALMONER_CONSOLE: 'off', ALMONER_MAX_DELAY: '60000' }
const server = await startServer(folder, { ...database.settings, ...settings })
const headers = await authorize(server.url, form)

const memory = (name: 'VmRSS' | 'VmHWM'): number => {
  const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8')
  return 1024 * Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1])
}

/** Reads pages from the first one on, and returns what they held. */
const readPages = async (most = Number.POSITIVE_INFINITY) => {
  const read = { pages: 0, changes: 0, bytes: 0 }
  for (let since = ''; read.pages < most; ) {
    const response = await fetch(`${server.url}/changes?kinds=library&lim=1000${since}`, { headers })
    const text = await response.text()
    check(response.status === 200, `a page: ${response.status} ${text.slice(0, 200)}`)
    const { changes, cursor } = JSON.parse(text) as { changes: ReadonlyArray<unknown>; cursor: string }
    read.pages += 1
    read.changes += changes.length
    read.bytes += Buffer.byteLength(text)
    if (read.pages % 10 === 0) progress(`${read.changes} changes`)
    if (!response.headers.has('link')) break
    since = `&since=${encodeURIComponent(cursor)}`
  }
  return read
}

const rounds: Array<object> = []
const atStart = memory('VmRSS')
await readPages(FIRST)
await pause(3000)
const before = memory('VmRSS')
for (const readers of [1, given.readers]) {
  // The system forgets the greatest size so far.
  writeFileSync(`/proc/${server.process.pid}/clear_refs`, '5')
  const begun = performance.now()
  const [read, ...others] = await Promise.all(Array.from({ length: readers }, () => readPages()))
  const seconds = Math.round((performance.now() - begun) / 100) / 10
  for (const one of [read, ...others])
    check(one?.changes === given.items, `a reader had ${one?.changes} changes`)
  const added = memory('VmHWM') - before
  check(added < MOST_ADDED, `${readers} readers added ${Math.round(added / 1e6)} MB`)
  const mebibytes = Math.round((read?.bytes ?? 0) / 2 ** 20)
  rounds.push({ readers, pages: read?.pages, MiB: mebibytes, seconds, mostAddedMB: Math.round(added / 1e6) })
}
await server.stop()
await database.stop()
report({
  ...given,
  startMB: Math.round(atStart / 1e6),
  beforeMB: Math.round(before / 1e6),
  rounds,
})
