/**
 * The ports that a database stands behind, for every {@link Database}, and the migrations that bring its schema up to date.
 * @module @almoner/adapters-kysely
 */

export { withOffsetIndexes } from './accelerators/offset-index.ts'
export { COMPLETE_POSITION, EPOCH_TABLE, epochStatements, LAST_POSITION } from './changes.ts'
export type {
  ItemDate,
  SearchableItem,
  SearchIndex,
  SearchRequest,
  SearchSource,
} from './database/database.ts'
export {
  attempt,
  CommitOutcomeUnknown,
  type Condition,
  condition,
  type Database,
  DatabaseUnavailable,
  type Db,
  type QueryCache,
  queryCache,
  type ReadOptions,
  type SqlDialect,
  UNBOUNDED,
  type WriteOptions,
} from './database/database.ts'
export {
  type Execute,
  makeSemaphore,
  makeVersions,
  readParts,
  type Semaphore,
  type SemaphoreOptions,
  type SessionDialect,
  sessionDb,
  type Versions,
  writeParts,
} from './database/sessions.ts'
export { timedDatabase } from './database/timed-database.ts'
export { STORAGE_TABLE } from './media.ts'
export { SERVER_TABLES } from './operations.ts'
export {
  checksumOf,
  type HostMigration,
  type HostMigrationParts,
  hostMigrationsOf,
  type Migration,
} from './schema/migrations/migration.ts'
export { MIGRATIONS, type Migrator, makeMigrator, type SchemaPlan } from './schema/migrations/migrator.ts'
export { type SchemaFault, type SchemaOutdated, schemaFaultText } from './schema/migrations/schema-fault.ts'
export type { Tables } from './schema/schema.ts'
export { makeStore, type Store } from './store.ts'
export type { ImportBatch, LoadRefused } from './transfer/load.ts'
export {
  compareKeys,
  makeTransferStore,
  TRANSFER_TABLES,
  type TransferSnapshot,
  type TransferStore,
} from './transfer/load.ts'
export type { RowReader } from './transfer/rows.ts'
export { rowsOf, type TableRows } from './transfer/rows.ts'
export type { NamedImage, Row, TransferTable } from './transfer/table.ts'
