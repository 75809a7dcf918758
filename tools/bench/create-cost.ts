// Measures what history, search and the indexes of lists add to the creation of a draft on SQLite, through the repositories, in groups of 32 as
// a busy server commits them, among items of 3,000 days: node tools/bench/create-cost.ts [--rounds 40]
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Act } from '@almoner/domain/access'
import * as E from 'fp-ts/lib/Either.js'
import { sql } from 'kysely'
import { makeStore } from '../../packages/adapters-kysely/src/index.ts'
import { done, sampleDay, sampleLibraryItem, seeded } from '../../packages/testkit/src/contracts/index.ts'
import { makeTexts } from './finding-dataset.ts'
import { openStore } from './store.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '40' } } })
const ROUNDS = Number(values.rounds)
const GROUP = 32
const GROUPS = 50

const folder = mkdtempSync(join(tmpdir(), 'almoner-create-'))
let opened = 0

/** Opens a new database without the indexes of items whose names match. */
const open = async (dropped = /^$/) => {
  opened += 1
  const { engine } = await openStore(join(folder, `${opened}.db`))
  await done(
    engine.write(async (db) => {
      const { rows } = await sql<{ readonly name: string }>`
        select name from sqlite_master where type = 'index' and tbl_name = 'library_item'`.execute(db)
      for (const { name } of rows) if (dropped.test(name)) await sql`drop index ${sql.ref(name)}`.execute(db)
      return E.right(undefined)
    }),
  )
  return engine
}

const engine = await open()
const engines = [engine, await open(), await open(/_all/), await open(/_draft/), await open(/_(?:all|draft)/)]
const NO_INDEX = { ...engine.dialect.search, add: async () => {}, replace: async () => {} }
const withSearch = makeStore(engine)
const withoutSearch = makeStore({ ...engine, dialect: { ...engine.dialect, search: NO_INDEX } })
const [, alone, noAll, noDraft, noList] = engines.map((one) => makeStore(one))
const ACT: Act = { actor: { kind: 'client', id: 'bench' }, action: 'create' }
const VARIANTS = [
  ['neither', withoutSearch, undefined],
  ['history', withoutSearch, ACT],
  ['search', withSearch, undefined],
  ['both', withSearch, ACT],
  // The indexes are compared in databases of the same size.
  ['both, each alone in its database from here on', alone, ACT],
  ['both, without the indexes of all states', noAll, ACT],
  ['both, without the indexes of drafts', noDraft, ACT],
  ['both, without either', noList, ACT],
] as const

const chance = seeded(3)
const { texts } = makeTexts(7)
let made = 0

/** Creates items, and returns the processor time of each in microseconds. */
const create = async (store = withSearch, act?: Act): Promise<number> => {
  const before = process.cpuUsage()
  for (let group = 0; group < GROUPS; group += 1)
    await Promise.all(
      Array.from({ length: GROUP }, () => {
        made += 1
        const item = sampleLibraryItem(made, { ...texts(), publicationDate: sampleDay(chance(3000)) })
        return done(store.libraryItems.add({ item, linksToImages: [], ...(act && { act }) }))
      }),
    )
  const { user, system } = process.cpuUsage(before)
  return (user + system) / (GROUP * GROUPS)
}

const median = (times: ReadonlyArray<number>): number =>
  times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0

const times = VARIANTS.map(() => [] as Array<number>)
for (let round = 0; round < ROUNDS; round += 1)
  for (const [n, [, store, act]] of VARIANTS.entries()) times[n]?.push(await create(store, act))
const [base = 0] = times.map(median)
for (const [n, [name]] of VARIANTS.entries()) {
  const time = median(times[n] ?? [])
  process.stdout.write(
    `${name}: ${time.toFixed(1)} µs of processor time an item, ${(time - base).toFixed(1)} more\n`,
  )
}
for (const one of engines) await one.close()
