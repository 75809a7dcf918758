/**
 * The ports that a database stands behind, for every {@link Database}, and the migrations that bring its schema up to date.
 * @module @almoner/adapters-kysely
 */

export { withOffsetIndexes } from './accelerators/offset-index/with-offset-indexes.ts'
export {
  type Database,
  type Db,
  type ReadOptions,
  type SqlDialect,
  UNBOUNDED,
  type Versioned,
  type WriteOptions,
} from './database/database.ts'
export { type Condition, condition, type QueryCache, queryCache } from './database/query.ts'
export type {
  ItemDate,
  SearchableItem,
  SearchIndex,
  SearchRequest,
  SearchSource,
} from './database/search-index.ts'
export { makeSemaphore, type Semaphore, type SemaphoreOptions } from './database/semaphore.ts'
export { type Execute, type SessionDialect, sessionDb } from './database/session-db.ts'
export { timedDatabase } from './database/timed-database.ts'
export { attempt, CommitOutcomeUnknown, DatabaseUnavailable } from './database/unavailable.ts'
export { NODE_TABLE } from './repositories/nodes.ts'
export { STORAGE_TABLE } from './repositories/storage-identity.ts'
export { MIGRATIONS } from './schema/migrations/list.ts'
export { checksumOf, type Migration } from './schema/migrations/migration.ts'
export { type Migrator, makeMigrator, type SchemaPlan } from './schema/migrations/migrator.ts'
export { type SchemaFault, type SchemaOutdated, schemaFaultText } from './schema/migrations/schema-fault.ts'
export type { Tables } from './schema/schema.ts'
export { makeStore, type Store } from './store.ts'
export type { Row } from './transfer/checks.ts'
export type { ImportBatch, LoadRefused } from './transfer/load.ts'
export type { RowReader } from './transfer/read-row.ts'
export { rowsOf, type TableRows } from './transfer/rows.ts'
export type { NamedImage, TransferTable } from './transfer/table.ts'
export { compareKeys, TRANSFER_TABLES } from './transfer/tables.ts'
export { makeTransferStore, type TransferSnapshot, type TransferStore } from './transfer/transfer-store.ts'
