/**
 * Backups: an archive of a SQLite database and its images.
 * @module @almoner/adapters-sqlite/archive
 */

export { type BackupSource, backUpSqlite } from './backup.ts'
export { type Restored, type RestoreOptions, type RestoreTarget, restoreBackup } from './restore-backup.ts'
