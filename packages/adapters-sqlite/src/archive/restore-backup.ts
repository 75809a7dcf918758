import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import {
  type Archive,
  type ArchiveRefused,
  ArchiveStopped,
  aboutArchive,
  type BackupSummary,
  DATABASE,
  type ErrorReport,
  type ImageStores,
  imageName,
  makeErrorReport,
  notEmptyText,
  type OnProgress,
  orThrow,
  refused,
  storeImages,
  verifyBackup,
  withArchive,
} from '@almoner/adapters-kysely/archive'
import type { Unavailable } from '@almoner/domain'
import { imageFilePath, type MediaStore } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { sqliteFaults, sqliteImages, sqliteStorageId } from '../backup.ts'
import { checkRestorable, type NotRestorable, restoreSqlite } from '../restore.ts'

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
