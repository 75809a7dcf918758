// Items are published evenly over a minute, by three servers on one database of which two are killed with SIGKILL. Looks for items that did not
// change, changed twice or late, and for records that are missing or too many (C15).
// Usage: node tools/stress/schedules.ts [--database postgres] [--items 10000] [--seconds 60] [--kills 10]
import { setTimeout as pause } from 'node:timers/promises'
import { makeStore, queryCache } from '../../packages/adapters-kysely/src/index.ts'
import { linked } from '../../packages/domain/src/media/index.ts'
import type { WebUrl } from '../../packages/domain/src/values/index.ts'
import { done, sampleFeedItem, sampleLibraryItem } from '../../packages/testkit/src/contracts/index.ts'
import { check, folder, options, progress, report } from './campaign.ts'
import { migrate, newDatabase, type OwnEngine } from './database.ts'
import { type Server, startServer } from './server.ts'

const given = options({ database: 'sqlite', items: 10_000, seconds: 60, kills: 10 })
/** Milliseconds after its moment at which an item must have changed. */
const LATEST = 2000
/** Milliseconds that the servers have before the first moment. */
const START = 3000
const TABLES = ['library_item', 'feed_item'] as const

const database = await newDatabase(given.database, folder)

const run = queryCache()

/** Samples are created a millisecond apart from here on. */
const FIRST = sampleFeedItem(0).createdAt

/** Adds the items, half of them posts. */
const fill = async (engine: OwnEngine): Promise<void> => {
  const { libraryItems, feedItems } = makeStore(engine)
  const image = { _tag: 'Some', value: linked('https://example.org/a.png' as WebUrl) } as const
  const images = { cover: image, notification: image }
  const act = { actor: { kind: 'client', id: 'campaign' }, action: 'create' } as const
  for (let n = 0; n < given.items; n += 100) {
    const some = Array.from({ length: Math.min(100, given.items - n) }, (_, at) => n + at)
    await Promise.all(
      some.map((n) =>
        n % 2 === 0
          ? done(libraryItems.add({ item: sampleLibraryItem(n, { images }), linksToImages: [], act }))
          : done(feedItems.add({ item: sampleFeedItem(n), linksToImages: [], act })),
      ),
    )
    progress(`${n} of ${given.items} items added`)
  }
}

/** Gives each item its moment, beginning at `first`, in whole seconds as by the API. */
const schedule = async (engine: OwnEngine, first: number): Promise<void> => {
  const apart = (given.seconds * 1000) / given.items
  const write = engine.write(async (db) => {
    for (const table of TABLES)
      await run(
        db,
        `update ${table} set publish_at = ? + 1000 * cast(floor((created_at - ?) * ${apart} / 1000) as bigint)`,
        [first, FIRST],
      )
    return { _tag: 'Right', right: undefined } as const
  })
  await done(write)
}

interface Row {
  readonly id: string
  readonly status: string
  readonly publish_at: number | string | null
  readonly revision: number
  readonly updated_at: number | string
}

interface SeenRecord {
  readonly subject_id: string
  readonly number: number
  readonly at: number | string
  readonly actor_kind: string
  readonly action: string
}

const rows = <A>(engine: OwnEngine, text: string): Promise<ReadonlyArray<A>> =>
  done(engine.read((db) => run<A>(db, text, [])))

/** The moment of each item. */
const momentsOf = async (engine: OwnEngine): Promise<ReadonlyMap<string, number>> => {
  const found = new Map<string, number>()
  for (const table of TABLES)
    for (const { id, publish_at } of await rows<Row>(engine, `select * from ${table}`))
      found.set(id, Number(publish_at))
  return found
}

const verify = async (engine: OwnEngine, moments: ReadonlyMap<string, number>) => {
  const records = new Map<string, Array<SeenRecord>>()
  for (const record of await rows<SeenRecord>(engine, 'select * from audit_record order by id'))
    records.set(record.subject_id, [...(records.get(record.subject_id) ?? []), record])
  const late: Array<number> = []
  for (const table of TABLES)
    for (const item of await rows<Row>(engine, `select * from ${table}`)) {
      const { id, status, publish_at, revision, updated_at } = item
      check(status === 'Live' && publish_at === null, `${id} is ${status}, due at ${publish_at}`)
      check(Number(revision) === 2, `${id} has ${revision} revisions`)
      const [created, changed, ...more] = records.get(id) ?? []
      check(created?.action === 'create' && more.length === 0, `${id} has ${more.length + 2} records`)
      check(changed?.actor_kind === 'schedule' && changed.action === 'update', `${id} lacks its record`)
      check(Number(changed?.at) === Number(updated_at), `${id} changed at another time than its record says`)
      late.push(Number(updated_at) - (moments.get(id) ?? 0))
    }
  const sorted = late.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]
  for (const one of sorted) check(one >= 0 && one <= LATEST, `an item changed ${one} ms after its moment`)
  return { items: sorted.length, lateMs: { p50: at(0.5), p99: at(0.99), max: sorted.at(-1) } }
}

/** Kills the first and the second server by turns and starts them again, until the time is over. */
const killSome = async (servers: Array<Server>, until: number): Promise<number> => {
  let killed = 0
  for (; killed < given.kills; killed += 1) {
    const left = until - Date.now()
    await pause(Math.max(0, (Math.random() * 2 * left) / (given.kills - killed + 1)))
    await servers[killed % 2]?.stop('SIGKILL')
    servers[killed % 2] = await startServer(folder, settings)
    progress(`${killed + 1} of ${given.kills} kills`)
  }
  return killed
}

const settings = { ...database.settings, ALMONER_REVIEW: 'off' }
const engine = await database.open()
await migrate(engine)
await fill(engine)
const servers: Array<Server> = []
for (let n = 0; n < 3; n += 1) servers.push(await startServer(folder, settings))
const first = Math.ceil((Date.now() + START) / 1000) * 1000
await schedule(engine, first)
const moments = await momentsOf(engine)
const end = first + given.seconds * 1000
await pause(first - Date.now())
const kills = await killSome(servers, end)
await pause(Math.max(0, end + LATEST - Date.now()))
const figures = await verify(engine, moments)
for (const server of servers) await server.stop()
await engine.close()
await database.stop()
report({ ...figures, seconds: given.seconds, kills })
