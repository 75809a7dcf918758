import type { SqlDialect } from '@almoner/adapters-kysely'

/** SQLite's own words. Text is compared by its bytes, in UTF-8, as it is; writers exclude each other. */
export const SQLITE: SqlDialect = {
  text: 'text',
  integer: 'integer',
  tableOptions: 'strict',
  keyedOptions: 'strict, without rowid',
  identity: 'integer primary key autoincrement',
  tableNames:
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'",
  isEmbedded: true,
  locksRows: false,
  migrationLock: undefined,
  queueingLock: () => undefined,
  dropChecks: (checks) => [
    // As https://sqlite.org/lang_altertable.html#otheralter has it: a check is not in the rows, so that its text may be cut out of the definition.
    'pragma writable_schema = on',
    ...checks.map(
      ({ table, text }) =>
        `update sqlite_schema set sql = replace(sql, ' ${text.replaceAll("'", "''")}', '') where type = 'table' and name = '${table}'`,
    ),
    // Any other schema change makes all connections reload the schema.
    'create table schema_change (id integer)',
    'drop table schema_change',
    'pragma writable_schema = reset',
  ],
  countBehind: (table, number) => [
    `delete from sqlite_sequence where name = '${table}'`,
    `insert into sqlite_sequence (name, seq) values ('${table}', ${number})`,
  ],
}
