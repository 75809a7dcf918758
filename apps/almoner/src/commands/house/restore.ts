import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import {
  type Occupied,
  restoreSqlite,
  sqliteFaults,
  sqliteImages,
  sqliteStorageId,
  surveySqlite,
} from '@almoner/adapters-sqlite'
import { imageFilePath, type Unavailable } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Media } from '../../compose/media.ts'
import { type Failure, failed, notAvailable } from '../../failure.ts'
import { progressOn, type Terminal } from '../../terminal.ts'
import type { Printout, Work } from '../command.ts'
import { ArchiveFault } from './archive-fault.ts'
import { type ArchiveReader, type Entry, openArchive } from './archive-reader.ts'
import { orFault } from './backup.ts'
import { copiedPlace } from './copied-place.ts'
import { type Faults, makeFaults, unlessFaulty } from './faults.ts'
import { imageName } from './format.ts'
import { holdingsText } from './import.ts'
import { makeMeter } from './meter.ts'
import { missingText } from './missing-images.ts'
import { aboutFile, onMedia } from './on-house.ts'
import { storeImages } from './store-images.ts'
import { type Backup, verifyBackup } from './verify-backup.ts'

interface Task {
  /** The backup. */
  readonly file: string
  readonly reader: ArchiveReader
  readonly faults: Faults
  readonly media: Media
  /** The database that is to be. */
  readonly target: string
  readonly terminal: Terminal
}

const OWNER_ONLY = 0o600

const TO_GO_BACK =
  'to go back to a backup, stop the service and move the database away, with the -wal and -shm beside it'

const occupied = (fault: Occupied | Unavailable): Failure => {
  switch (fault._tag) {
    case 'InUse':
      return failed('a process has the database open: stop the service first')
    case 'NotEmpty':
      return failed(holdingsText(fault.holdings), TO_GO_BACK)
    case 'Unavailable':
    case 'OutcomeUnknown':
      return notAvailable('the database')(fault)
  }
}

/** Writes the database of a backup to a file of its own. */
const unpack = async (reader: ArchiveReader, entry: Entry, to: string): Promise<void> => {
  const handle = await open(to, 'wx', OWNER_ONLY)
  try {
    for await (const part of reader.parts(entry)) await handle.writeFile(part)
  } finally {
    await handle.close()
  }
}

/** Adds what is wrong with an unpacked database, and the images that it shows and the backup lacks. */
const examine = async (database: string, { images, missing }: Backup, faults: Faults): Promise<void> => {
  const found = await orFault('holds a database that cannot be read', sqliteFaults(database))
  for (const fault of found) faults.add(`holds a damaged database: ${fault}`)
  if (found.length > 0) return
  for await (const shown of sqliteImages(database))
    for (const { file } of shown)
      if (!images.has(imageName(file)) && !missing.has(imageFilePath(file)))
        faults.add(`lacks ${imageName(file)}, which the database shows`)
}

/** What is known of a backup that cannot be read. */
const NOTHING: Backup = { database: { name: '', size: 0, at: 0 }, images: new Set(), missing: new Set() }

/** What a backup holds. It may be that nothing can be read any more: then that is the last fault. */
const verify = ({ reader, faults, terminal }: Task): Promise<Backup> => {
  const meter = makeMeter(terminal, { what: 'checking', units: 'bytes', total: reader.size })
  return verifyBackup(reader, faults, meter.at).catch((cause: unknown) => {
    if (!(cause instanceof ArchiveFault)) throw cause
    faults.add(cause.message)
    return NOTHING
  })
}

const check = ({ target }: Task): TE.TaskEither<Failure, void> =>
  pipe(
    sqliteFaults(target),
    TE.mapLeft(notAvailable('the restored database')),
    TE.flatMap((faults) =>
      faults.length === 0
        ? TE.right(undefined)
        : TE.left(failed(`the restored database is damaged: ${faults.join('; ')}`)),
    ),
  )

/** Marks the storage as the restored database's, unless it bears a marker already: then the next sweep tells whose it is (D6). */
const keepIdentity = ({ media: { mediaStore }, target }: Task): TE.TaskEither<Failure, void> =>
  pipe(
    TE.Do,
    TE.bind('id', () => sqliteStorageId(target)),
    TE.bind('marker', () => mediaStore.readMarker()),
    TE.flatMap(({ id, marker }) =>
      O.isSome(id) && O.isNone(marker) ? mediaStore.writeMarker(id.value) : TE.right(undefined),
    ),
    TE.mapLeft(notAvailable('the restored service')),
  )

const put = (task: Task, backup: Backup, unpacked: string): TE.TaskEither<Failure, void> => {
  const { file, reader, faults, media, target, terminal } = task
  const meter = makeMeter(terminal, { what: 'storing images', units: 'bytes', total: reader.size })
  return pipe(
    aboutFile(file, async () => {
      await unpack(reader, backup.database, unpacked)
      await examine(unpacked, backup, faults)
    }),
    TE.flatMap(() => unlessFaulty(task.faults)),
    TE.flatMap(() => aboutFile(file, () => storeImages(reader, media, meter.at))),
    TE.flatMap(() => pipe(restoreSqlite({ from: unpacked, file: target }), TE.mapLeft(occupied))),
    TE.flatMap(() => check(task)),
    TE.flatMap(() => keepIdentity(task)),
  )
}

const restore = (task: Task): TE.TaskEither<Failure, Printout> => {
  const { target, file } = task
  const unpacked = `${target}.${randomUUID()}.restore`
  return pipe(
    pipe(surveySqlite(target), TE.mapLeft(occupied)),
    TE.flatMap(() => aboutFile(file, () => verify(task))),
    TE.tap(() => unlessFaulty(task.faults)),
    TE.tap((backup) =>
      TE.bracket(
        TE.right(unpacked),
        () => put(task, backup, unpacked),
        () => aboutFile(file, () => rm(unpacked, { force: true })),
      ),
    ),
    TE.map(({ images, missing }) => ({
      text: [`the database and ${images.size} images restored`, ...missingText([...missing])].join('\n'),
      json: { file, images: images.size, missing: [...missing] },
    })),
  )
}

/**
 * `restore FILE`: makes an empty service that does not run the one that was backed up, and checks it. An older one is brought up to
 * date by `almoner migrate` or the next start. Cut off, it has left nothing but images, and can be done again.
 */
export const restoreAll =
  (file: string, terminal: Terminal): Work =>
  (settings) =>
    pipe(
      TE.fromEither(copiedPlace(settings, 'restore')),
      TE.flatMap((target) =>
        TE.bracket(
          aboutFile(file, () => openArchive(file)),
          (reader) =>
            onMedia((media) => restore({ file, reader, faults: makeFaults(file), media, target, terminal }))(
              settings,
            ),
          (reader) => aboutFile(file, reader.close),
        ),
      ),
      (restored) => async () => {
        const done = await restored()
        progressOn(terminal)('')
        return done
      },
    )
