import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  done,
  SAMPLE_MOMENT,
  sampleEmail,
  sampleLibraryItem,
  samplePortfolio,
} from '@almoner/testkit/contracts'
import Database from 'better-sqlite3'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { sqliteFaults } from '../src/index.ts'
import { claimed } from './sending/served.ts'
import { openStore } from './store-of.ts'

/** A database with rows in every table, which the program wrote when its latest migration was 0017. */
const FIXTURE = join(import.meta.dirname, 'fixtures', 'schema-0017.sql')

const makeFixture = (file: string): void => {
  const database = new Database(file)
  database.exec(readFileSync(FIXTURE, 'utf8'))
  database.close()
}

/** Tables with their columns and references, and indexes with theirs. How the statements are written does not matter. */
const schemaOf = (file: string) => {
  const database = new Database(file, { readonly: true })
  const ask = (query: string, ...values: ReadonlyArray<string>) => database.prepare(query).all(...values)
  const tables = database
    .prepare<[], string>(`select name from sqlite_schema where type = 'table' order by name`)
    .pluck()
    .all()
  const schema = tables.map((table) => ({
    table,
    columns: ask('select * from pragma_table_xinfo(?)', table),
    references: ask('select "from", "table", "to" from pragma_foreign_key_list(?) order by 1, 2', table),
    indexes: ask(
      `select list.name, list."unique", list.partial, info.seqno, info.name as column, lower(schema.sql) as sql
        from pragma_index_list(?) as list, pragma_index_xinfo(list.name) as info
        left join sqlite_schema as schema on schema.name = list.name order by 1, 4`,
      table,
    ),
  }))
  database.close()
  return schema
}

t.test('a database of schema 0017 opens, migrates, and works', async (t) => {
  const [file, fresh] = [join(t.testdir(), 'old.db'), join(t.testdir(), 'new.db')]
  makeFixture(file)
  const store = await openStore(file)
  const item = O.toUndefined(await done(store.libraryItems.find(sampleLibraryItem(1).id)))
  t.match(item, { status: 'Live', revision: 2, images: { cover: O.some({ kind: 'stored' }) } })
  t.strictSame(await done(store.portfolio.content()), samplePortfolio())
  t.strictSame(O.toUndefined(await done(store.users.find(sampleEmail(7))))?.lang, 'fr')
  const later = (SAMPLE_MOMENT + 3_600_000) as typeof SAMPLE_MOMENT
  t.equal((await claimed(store, 9, later)).recipients.length, 2, 'a delivery continues')
  const filters = {
    ...{ words: ['title', '日本'], labelId: O.none, status: O.none },
    ...{ isDonorRestricted: O.none, from: O.none, until: O.none },
  }
  const asked = { visibility: { kind: 'everything' }, lang: O.none, filters } as const
  const found = await done(store.libraryItems.list(asked, { lim: O.some(1), offset: 0, after: O.none }, true))
  t.equal(found.total, 3, 'J2: its items are found by their words')
  await store.close()
  t.strictSame(await done(sqliteFaults(file)), [])

  await (await openStore(fresh)).close()
  t.strictSame(schemaOf(file), schemaOf(fresh), 'it has the schema of a new database')
})
