import type {
  ArchiveRefused,
  ArchiveSink,
  ImportOptions,
  WriteOptions,
} from '@almoner/adapters-kysely/archive'
import type { RestoreOptions } from '@almoner/adapters-sqlite/archive'
import type { Unavailable } from '@almoner/domain'
import { isUnavailable } from '@almoner/domain/ports'
import { CommandFailed, databaseNotAvailable, failed, orFail } from '../failure.ts'
import { databaseFailure, MIGRATION_NAMES } from './database.ts'
import type { Service } from './service.ts'

export type { Measure } from '@almoner/adapters-kysely/archive'

const refusal = (failure: ArchiveRefused | Unavailable): CommandFailed =>
  isUnavailable(failure) ? databaseNotAvailable(failure) : new CommandFailed(failure.lines)

const rejectMissingDatabase = ({ databaseExists }: Service): void => {
  if (!databaseExists()) throw failed('there is no database where ALMONER_DATABASE says: nothing is written')
}

/** Returns the path of the database where it and the images are files, and throws otherwise. */
const sqlitePath = ({ settings, databaseFile }: Service, command: string): string => {
  if (settings.media.kind === 'folder' && databaseFile !== undefined) return databaseFile.path
  throw failed(
    `${command} copies a SQLite file and a folder of images, and the settings name something else: use pg_dump for PostgreSQL and the versions of the bucket for images, or almoner export for all of it`,
  )
}

/** Writes everything to an archive that any database can import, in a new file, or to a sink. */
export const exportService = async (service: Service, options: WriteOptions, sink?: ArchiveSink) => {
  rejectMissingDatabase(service)
  await service.ports()
  const [{ transfer: store }, { imageFiles: files }] = [await service.database(), await service.media()]
  const { exportArchive, streamExport } = await import('@almoner/adapters-kysely/archive')
  const source = { store, files }
  const written = sink ? streamExport(source, { ...options, sink }) : exportArchive(source, options)
  return orFail(written, refusal)
}

/** Imports an export into an empty service. */
export const importService = async (service: Service, options: ImportOptions) => {
  await service.ports()
  const [{ transfer: store }, media] = [await service.database(), await service.media()]
  const { importArchive } = await import('@almoner/adapters-kysely/archive')
  return orFail(importArchive({ ...media, store }, options), refusal)
}

/** Copies the SQLite database and its images to an archive. */
export const backUpService = async (service: Service, options: WriteOptions) => {
  const database = sqlitePath(service, 'backup')
  rejectMissingDatabase(service)
  const { migrator } = await service.database()
  const { imageFiles: files } = await service.media()
  const { pending } = await orFail(migrator.plan(), databaseFailure)
  const schema = MIGRATION_NAMES.filter((name) => !pending.includes(name))
  const { backUpSqlite } = await import('@almoner/adapters-sqlite/archive')
  return orFail(backUpSqlite({ database, files, schema }, options), refusal)
}

/** Restores a backup into an empty service that does not run. */
export const restoreService = async (service: Service, options: RestoreOptions) => {
  const database = sqlitePath(service, 'restore')
  const media = await service.media()
  const { restoreBackup } = await import('@almoner/adapters-sqlite/archive')
  return orFail(restoreBackup({ ...media, database }, options), refusal)
}
