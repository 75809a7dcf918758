import type {
  ArchiveRefused,
  ArchiveSink,
  ImportOptions,
  WriteOptions,
} from '@almoner/adapters-kysely/archive'
import * as files from '@almoner/adapters-node/files'
import type { RestoreOptions } from '@almoner/adapters-sqlite/archive'
import type { Unavailable } from '@almoner/domain'
import type { BadRows } from '@almoner/domain/people'
import {
  fileFaultOf,
  type OpenedPortfolio,
  type PortfolioFault,
  type UploadRefused,
} from '@almoner/domain/portfolio'
import { isUnavailable } from '@almoner/domain/ports'
import type { FieldError } from '@almoner/domain/values'
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

/** Opens the portfolio in a folder, in one JSON file, or in a zip archive. */
export const openPortfolio = (path: string): Promise<OpenedPortfolio> =>
  orFail(files.openPortfolioAt(path), (failure) =>
    isUnavailable(failure)
      ? failed(`${path} cannot be read: ${String(failure.cause)}`)
      : fileRefusal(failure),
  )

const linesRefusal = ({ lines }: files.FilesRefused): CommandFailed => new CommandFailed(lines)

/** Reads the rows of an array in a JSON file (H4). */
export const readJsonTable = (file: string): Promise<files.JsonTable> =>
  orFail(files.readJsonTable(file), linesRefusal)

/** Reads users from a CSV file (F2). */
export const readUserFile = async (file: string, onRow: (rows: number) => void) => {
  const { users, refusal } = await orFail(files.readUserFile(file, onRow), linesRefusal)
  return { users, refusal: (rows: BadRows) => linesRefusal(refusal(rows)) }
}

/** Makes the error for bad rows of a JSON file, by line. */
export const rowsRefusal = (
  file: string,
  table: files.JsonTable,
  errors: ReadonlyArray<FieldError>,
): CommandFailed => linesRefusal(files.badRows(file, table, errors))

/** Makes the error for the errors of a portfolio's files and rows, by file and line (H1). */
export const portfolioRefusal = (faults: ReadonlyArray<PortfolioFault>): CommandFailed =>
  new CommandFailed(faults.map((fault) => files.faultLine(fileFaultOf(fault))))

/** Makes the error for a file that cannot be taken (H4). */
export const fileRefusal = ({ file, message }: UploadRefused): CommandFailed =>
  failed(file === undefined ? `The portfolio ${message}` : `${file}: ${message}`)
