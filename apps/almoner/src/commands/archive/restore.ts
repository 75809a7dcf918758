import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import {
  checkRestorable,
  type NotRestorable,
  restoreSqlite,
  sqliteFaults,
  sqliteImages,
  sqliteStorageId,
} from '@almoner/adapters-sqlite'
import { imageFilePath, type MediaStore, type Unavailable } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import type { Printout, Work } from '../../cli/command.ts'
import { type Failure, failed, notAvailable } from '../../cli/failure.ts'
import type { Terminal } from '../../cli/terminal.ts'
import type { Media } from '../../composition/media.ts'
import { type Archive, withArchive } from './archive-reader.ts'
import { ArchiveError, because, type ErrorReport, makeErrorReport, orFail } from './errors.ts'
import { DATABASE, imageName, imageOfName, MISSING } from './format.ts'
import { storeImages } from './images.ts'
import { notEmptyText } from './import.ts'
import { readManifest } from './manifest.ts'
import { readMissing, withMissing } from './missing-images.ts'
import { makeProgress } from './progress.ts'
import { verifiedEntries } from './verify-entries.ts'
import { withMedia, withSqlitePath } from './with-service.ts'

const OWNER_ONLY = 0o600

const GO_BACK =
  'to go back to a backup, stop the service and move the database away, with the -wal and -shm beside it'

/** What a backup holds besides the database. */
interface BackupSummary {
  /** The names of the entries of images. */
  readonly images: ReadonlySet<string>
  /** The paths of images that were missing when it was written. */
  readonly missing: ReadonlySet<string>
}

const notRestorable = (why: NotRestorable | Unavailable): Failure => {
  switch (why._tag) {
    case 'InUse':
      return failed('a process has the database open: stop the service first')
    case 'NotEmpty':
      return failed(notEmptyText(why.existing), GO_BACK)
    default:
      return notAvailable('the database')(why)
  }
}

/** Verifies a backup from start to end: that it is whole, undamaged and of no newer program. */
const verifyBackup = async (
  archive: Archive,
  report: ErrorReport,
  onProgress: (bytes: number, total: number) => void,
): Promise<BackupSummary> => {
  const images = new Set<string>()
  const names = new Set<string>()
  let missing: ReadonlySet<string> = new Set()
  for await (const entry of verifiedEntries(archive, report)) {
    const { name, bytes, at } = entry
    if (names.size === 0) readManifest('backup', entry)
    else if (imageOfName(name) !== undefined) images.add(name)
    else if (name === MISSING) missing = readMissing(bytes)
    else if (name !== DATABASE || names.has(name))
      throw new ArchiveError(`holds ${name} where it should not be`)
    names.add(name)
    onProgress(at, archive.size)
  }
  if (!names.has(DATABASE)) throw new ArchiveError(`lacks ${DATABASE}`)
  return { images, missing }
}

/** Writes the database of a backup to a file of its own. */
const unpackDatabase = async (archive: Archive, to: string): Promise<void> => {
  for await (const { name, parts } of archive.entries())
    if (name === DATABASE) await pipeline(parts, createWriteStream(to, { flags: 'wx', mode: OWNER_ONLY }))
}

/** Reports what is wrong with the database of a backup, and images that it shows and that the backup lacks. */
const verifyDatabase = async (
  { file }: Archive,
  database: string,
  { images, missing }: BackupSummary,
  report: ErrorReport,
): Promise<void> => {
  const unreadable = because(`${file} holds a database that cannot be read`)
  const faults = await orFail(sqliteFaults(database), unreadable)
  for (const fault of faults) report.add(`holds a damaged database: ${fault}`)
  report.throwIfAny()
  for await (const shown of sqliteImages(database))
    for (const { file } of shown)
      if (!images.has(imageName(file)) && !missing.has(imageFilePath(file)))
        report.add(`lacks ${imageName(file)}, which the database shows`)
  report.throwIfAny()
}

/** Marks the image storage as the restored database's, unless it has a marker: then the next sweep compares them (D6). */
const restoreIdentity = async (target: string, mediaStore: MediaStore): Promise<void> => {
  const toFailure = notAvailable('the restored service')
  const id = await orFail(sqliteStorageId(target), toFailure)
  const marker = await orFail(mediaStore.readMarker(), toFailure)
  if (O.isSome(id) && O.isNone(marker)) await orFail(mediaStore.writeMarker(id.value), toFailure)
}

const restoreFrom = async (archive: Archive, media: Media, target: string, terminal: Terminal) => {
  const { file } = archive
  const report = makeErrorReport(file)
  await orFail(checkRestorable(target), notRestorable)
  const checking = makeProgress(terminal, 'checking', 'bytes')
  const backup = await report.complete(verifyBackup(archive, report, checking))
  const unpacked = `${target}.${randomUUID()}.restore`
  try {
    await unpackDatabase(archive, unpacked)
    await verifyDatabase(archive, unpacked, backup, report)
    await storeImages(archive, media, makeProgress(terminal, 'storing images', 'bytes'))
    await orFail(restoreSqlite({ from: unpacked, file: target }), notRestorable)
  } finally {
    await rm(unpacked, { force: true })
  }
  const faults = await orFail(sqliteFaults(target), notAvailable('the restored database'))
  for (const fault of faults) report.line(`the restored database is damaged: ${fault}`)
  report.throwIfAny()
  await restoreIdentity(target, media.mediaStore)
  const [images, missing] = [backup.images.size, [...backup.missing]]
  const text = withMissing(`the database and ${images} images restored`, missing)
  return { text, json: { file, images, missing } } satisfies Printout
}

/**
 * `restore FILE`: restores a backup into an empty service that does not run, and checks it. `almoner migrate` or the next start brings an
 * older one up to date. An interruption leaves only images, and it is safe to rerun.
 */
export const restoreAll = (file: string, terminal: Terminal): Work =>
  withSqlitePath('restore', (target) =>
    withMedia({ file, terminal }, (media) =>
      withArchive(file, (archive) => restoreFrom(archive, media, target, terminal)),
    ),
  )
