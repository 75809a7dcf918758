/**
 * Backups: an archive of a SQLite database and its images.
 * @module @almoner/adapters-sqlite/archive
 */

import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import {
  type Archive,
  ArchiveError,
  type ArchiveRefused,
  ArchiveStopped,
  type ArchiveWriter,
  aboutArchive,
  addImage,
  type BackupSummary,
  DATABASE,
  type ErrorReport,
  type ImageStores,
  imageName,
  MANIFEST,
  MISSING,
  makeErrorReport,
  manifestBytes,
  missingBytes,
  notEmptyText,
  type OnProgress,
  orThrow,
  refused,
  storeImages,
  untilSettled,
  verifyBackup,
  type WriteOptions,
  type WrittenArchive,
  withArchive,
  writeArchive,
  writeNewFile,
} from '@almoner/adapters-kysely/archive'
import type { Unavailable } from '@almoner/domain'
import { type ImageFiles, imageFilePath, type MediaStore } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import {
  checkRestorable,
  copySqlite,
  type NotRestorable,
  restoreSqlite,
  sqliteFaults,
  sqliteImages,
  sqliteStorageId,
} from './backup.ts'

/** Times that the database is copied because an image was deleted meanwhile. */
const ATTEMPTS = 10

/** What a backup is made of. */
export interface BackupSource {
  /** The path of the database. */
  readonly database: string
  readonly files: ImageFiles
  /** The names of the migrations that the database has had. */
  readonly schema: ReadonlyArray<string>
}

type Source = BackupSource & WriteOptions & { readonly copy: string }

/** Makes a checked copy of the database, in place of an earlier one. */
const copyDatabase = async ({ database, copy, onProgress }: Source): Promise<void> => {
  onProgress('copying the database')
  await rm(copy, { force: true })
  const cannot = 'cannot be written: the database cannot be copied'
  await orThrow(copySqlite({ file: database, to: copy }), cannot)
  onProgress('checking the copy')
  const faults = await orThrow(sqliteFaults(copy), 'cannot be written: the copy cannot be read')
  if (faults.length > 0)
    throw new ArchiveError(`is not written: the database is damaged: ${faults.join('; ')}`)
}

/** Adds the images that the copy references and that are not added yet. Returns the paths of missing ones. */
const addNewImages = async (
  writer: ArchiveWriter,
  added: Set<string>,
  { copy, files, onProgress }: Source,
) => {
  const missing = new Set<string>()
  for await (const shown of sqliteImages(copy))
    for (const image of shown) {
      const path = imageFilePath(image.file)
      if (added.has(path)) continue
      if (await addImage(writer, files, image)) added.add(path)
      else missing.add(path)
      onProgress(`${added.size} images copied`)
    }
  return [...missing]
}

/** Writes images first and then the database that shows them, which is copied again while images are deleted. */
const writeBackup = async (writer: ArchiveWriter, source: Source) => {
  await writer.add(MANIFEST, manifestBytes('backup', { schema: source.schema }))
  const added = new Set<string>()
  const { missing } = await untilSettled(ATTEMPTS, source.isStrict, async () => {
    await copyDatabase(source)
    return { missing: await addNewImages(writer, added, source) }
  })
  if (missing.length > 0) await writer.add(MISSING, missingBytes(missing))
  source.onProgress('writing the database')
  await writer.addFile(DATABASE, source.copy)
  return { images: added.size, missing }
}

/** Writes a checked copy of the database and the images that it shows to one file, while the service goes on. */
export const backUpSqlite = (
  source: BackupSource,
  options: WriteOptions,
): TE.TaskEither<ArchiveRefused | Unavailable, WrittenArchive> => {
  const { file } = options
  const copy = `${file}.${randomUUID()}.database`
  return aboutArchive(file, () =>
    writeNewFile(file, (path) =>
      writeArchive(path, (writer) => writeBackup(writer, { ...source, ...options, copy })),
    ).finally(() => rm(copy, { force: true })),
  )
}

const OWNER_ONLY = 0o600

const GO_BACK =
  'to go back to a backup, stop the service and move the database away, with the -wal and -shm beside it'

/** What a restoration fills. */
export interface RestoreTarget extends ImageStores {
  /** The path of the database. */
  readonly database: string
}

/** How a backup is restored. */
export interface RestoreOptions {
  readonly file: string
  readonly onProgress: OnProgress
}

/** A backup that was restored. */
export interface Restored {
  readonly images: number
  /** The paths of images that were missing when it was written. */
  readonly missing: ReadonlyArray<string>
}

/** Resolves when the database can be restored, or throws why not. */
const orNotRestorable = async (task: TE.TaskEither<NotRestorable | Unavailable, void>): Promise<void> => {
  const done = await task()
  if (E.isRight(done)) return
  switch (done.left._tag) {
    case 'InUse':
      throw new ArchiveStopped(refused('a process has the database open: stop the service first'))
    case 'NotEmpty':
      throw new ArchiveStopped(refused(notEmptyText(done.left.existing), GO_BACK))
    default:
      throw new ArchiveStopped(done.left)
  }
}

/** Writes the database of a backup to a separate file. */
const unpackDatabase = async (archive: Archive, to: string): Promise<void> => {
  for await (const { name, parts } of archive.entries())
    if (name === DATABASE) await pipeline(parts, createWriteStream(to, { flags: 'wx', mode: OWNER_ONLY }))
}

/** Reports the errors of the database of a backup, and referenced images that the backup lacks. */
const verifyDatabase = async (
  database: string,
  { images, missing }: BackupSummary,
  report: ErrorReport,
): Promise<void> => {
  const faults = await orThrow(sqliteFaults(database), 'holds a database that cannot be read')
  for (const fault of faults) report.add(`holds a damaged database: ${fault}`)
  report.throwIfAny()
  for await (const shown of sqliteImages(database))
    for (const { file } of shown)
      if (!images.has(imageName(file)) && !missing.has(imageFilePath(file)))
        report.add(`lacks ${imageName(file)}, which the database shows`)
  report.throwIfAny()
}

/** Marks the image storage as the restored database's, unless it has a marker: then the next sweep compares them (D6). */
const restoreIdentity = async (database: string, mediaStore: MediaStore): Promise<void> => {
  const id = await orThrow(sqliteStorageId(database))
  const marker = await orThrow(mediaStore.readMarker())
  if (O.isSome(id) && O.isNone(marker)) await orThrow(mediaStore.writeMarker(id.value))
}

const restoreFrom = async (
  archive: Archive,
  { database, ...stores }: RestoreTarget,
  onProgress: OnProgress,
): Promise<Restored> => {
  const report = makeErrorReport(archive.file)
  await orNotRestorable(checkRestorable(database))
  const backup = await report.complete(verifyBackup(archive, report, onProgress))
  const unpacked = `${database}.${randomUUID()}.restore`
  try {
    await unpackDatabase(archive, unpacked)
    await verifyDatabase(unpacked, backup, report)
    await storeImages(archive, stores, onProgress)
    await orNotRestorable(restoreSqlite({ from: unpacked, file: database }))
  } finally {
    await rm(unpacked, { force: true })
  }
  const faults = await orThrow(sqliteFaults(database))
  for (const fault of faults) report.line(`the restored database is damaged: ${fault}`)
  report.throwIfAny()
  await restoreIdentity(database, stores.mediaStore)
  return { images: backup.images.size, missing: [...backup.missing] }
}

/** Restores a backup into an empty, stopped service, and checks it. An older schema still has to be migrated. It is safe to rerun. */
export const restoreBackup = (
  target: RestoreTarget,
  { file, onProgress }: RestoreOptions,
): TE.TaskEither<ArchiveRefused | Unavailable, Restored> =>
  aboutArchive(file, () => withArchive(file, (archive) => restoreFrom(archive, target, onProgress)))
