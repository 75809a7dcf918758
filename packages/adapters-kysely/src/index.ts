/**
 * The ports that a database stands behind, for every {@link Engine}, and the migrations that bring its schema up to date.
 * @module @almoner/adapters-kysely
 */

export { withOffsetIndexes } from './accelerators/offset-index/with-offset-indexes.ts'
export type { Db, Engine, Manner, SqlDialect } from './engine.ts'
export { MIGRATIONS } from './migrations/list.ts'
export type { Migration } from './migrations/migration.ts'
export { type Migrator, makeMigrator, type SchemaPlan } from './migrations/migrator.ts'
export { type SchemaFault, type SchemaOutdated, schemaFaultText } from './migrations/schema-fault.ts'
export { NODE_TABLE } from './nodes.ts'
export { CommitOutcomeUnknown, Outage } from './outage.ts'
export { UnavailableError } from './runner.ts'
export { type SessionDialect, sessionDb } from './session-db.ts'
export { makeSlots, type Slots } from './slots.ts'
export { STORAGE_TABLE } from './storage-identity.ts'
export { makeStore, type Store } from './store.ts'
export type { Tables } from './tables.ts'
export type { Row } from './transfer/checks.ts'
export type { ImportBatch, LoadRefused } from './transfer/load.ts'
export type { RowReader } from './transfer/read-row.ts'
export { rowsOf, type TableRows } from './transfer/rows.ts'
export type { NamedImage, TransferTable } from './transfer/table.ts'
export { compareKeys, TRANSFER_TABLES } from './transfer/tables.ts'
export { makeTransferStore, type TransferSnapshot, type TransferStore } from './transfer/transfer-store.ts'
