import type { SqlDialect } from '@almoner/adapters-kysely'

/** SQLite's own words. Text is compared by its bytes, in UTF-8, as it is; writers exclude each other. */
export const SQLITE: SqlDialect = {
  text: 'text',
  integer: 'integer',
  tableOptions: 'strict',
  tableNames:
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'",
  locksRows: false,
  migrationLock: undefined,
}
