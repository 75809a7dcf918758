import type { SqlDialect } from '@almoner/adapters-kysely'
import { FTS5_INDEX } from './search/search-index.ts'

/** SQLite's own words. Text is compared by its bytes, in UTF-8, as it is; writers exclude each other. */
export const SQLITE: SqlDialect = {
  text: 'text',
  integer: 'integer',
  tableOptions: 'strict',
  keyedOptions: 'strict, without rowid',
  identity: 'integer primary key autoincrement',
  rowNumber: 'integer primary key',
  // Without the virtual tables of the search index, and the tables that store them.
  tableNames: `select name from pragma_table_list
    where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\'`,
  locksRows: false,
  otherTableSets: undefined,
  migrationLock: undefined,
  queueingLock: () => undefined,
  countBehind: (table, number) => [
    `delete from sqlite_sequence where name = '${table}'`,
    `insert into sqlite_sequence (name, seq) values ('${table}', ${number})`,
  ],
  primaryKey: () => [],
  search: FTS5_INDEX,
}
