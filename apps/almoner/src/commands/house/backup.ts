import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, rm, stat } from 'node:fs/promises'
import { copySqlite, sqliteFaults } from '@almoner/adapters-sqlite'
import type { ImageFiles, Unavailable } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { databaseFailure, MIGRATION_NAMES } from '../../compose.ts'
import { type Failure, messageOf } from '../../failure.ts'
import { progressOn, type Terminal } from '../../terminal.ts'
import { onOpened, type Printout, type Work } from '../command.ts'
import { ArchiveFault } from './archive-fault.ts'
import { makeArchiveWriter } from './archive-writer.ts'
import { makeImageCopies } from './backup-images.ts'
import { copiedPlace } from './copied-place.ts'
import { IN_FLIGHT } from './fetch-image.ts'
import { DATABASE, MANIFEST, MISSING } from './format.ts'
import { manifestBytes } from './manifest.ts'
import { missingBytes, missingFailure, namesText } from './missing-images.ts'
import { writeNewFile } from './new-file.ts'
import { aboutFile, onMedia, unlessNothing } from './on-house.ts'

interface Task {
  /** The database. */
  readonly source: string
  readonly images: ImageFiles
  /** The migrations that it has had. */
  readonly schema: ReadonlyArray<string>
  /** The backup. */
  readonly file: string
  /** Whether a missing image is a reason to write nothing. */
  readonly isStrict: boolean
  readonly progress: (text: string) => void
}

/** Looks at the database anew so often, when images went away meanwhile. */
const TRIES = 10

/** What the disk or SQLite gives, or a fault of the backup. */
export const orFault = async <A>(what: string, task: TE.TaskEither<Unavailable, A>): Promise<A> => {
  const done = await task()
  if (E.isRight(done)) return done.right
  throw new ArchiveFault(`${what}: ${messageOf(done.left.cause)}`)
}

/** A checked copy of the database, in place of an earlier one. */
const copyTo = async (copy: string, { source, progress }: Task): Promise<void> => {
  progress('copying the database')
  await rm(copy, { force: true })
  await orFault('cannot be written: the database cannot be copied', copySqlite({ file: source, to: copy }))
  progress('checking the copy')
  const faults = await orFault('cannot be written: the copy cannot be read', sqliteFaults(copy))
  if (faults.length > 0)
    throw new ArchiveFault(`is not written: the database is damaged: ${faults.join('; ')}`)
}

/**
 * Writes images first and then the database that shows them. While images come and go, one may be gone before it is copied: then the
 * database is copied once more, and what it shows now and did not before follows. Those that stay missing are listed behind the images.
 */
export const writeBackup = async (handle: FileHandle, copy: string, task: Task) => {
  const writer = makeArchiveWriter(handle)
  const told = (images: number) => task.progress(`${images} images copied`)
  const copies = makeImageCopies(writer, task.images, told)
  await writer.add(MANIFEST, manifestBytes('backup', { schema: task.schema, rows: {} }))
  let before = new Set<string>()
  let missing: ReadonlyArray<string> = []
  for (let left = TRIES; ; left -= 1) {
    await copyTo(copy, task)
    missing = await copies.add(copy)
    if (missing.every((path) => before.has(path))) break
    if (left === 1) throw new ArchiveFault(`is not written: ${IN_FLIGHT}`)
    before = new Set(missing)
  }
  if (missing.length > 0) {
    if (task.isStrict) throw new ArchiveFault(`is not written: images are missing: ${namesText(missing)}`)
    await writer.add(MISSING, missingBytes(missing))
  }
  task.progress('writing the database')
  await writer.addParts(DATABASE, (await stat(copy)).size, createReadStream(copy))
  return { images: copies.count(), missing, bytes: await writer.finish() }
}

const backup = (task: Task): TE.TaskEither<Failure, Printout> => {
  const { file, progress } = task
  const copy = `${file}.${randomUUID()}.database`
  const written = aboutFile(file, async () => {
    try {
      return await writeNewFile(file, (handle) => writeBackup(handle, copy, task))
    } finally {
      await rm(copy, { force: true })
      progress('')
    }
  })
  return pipe(
    written,
    TE.map(({ images, missing, bytes }) => ({
      text: `the database and ${images} images in ${file} (${bytes} bytes)`,
      json: { file, images, missing, bytes },
      failure: missingFailure(missing),
    })),
  )
}

const onSource =
  (file: string, source: string, isStrict: boolean, terminal: Terminal): Work =>
  (settings) =>
    onOpened(({ migrator }) =>
      pipe(
        migrator.plan(),
        TE.mapLeft(databaseFailure),
        TE.flatMap(({ pending }) => {
          const schema = MIGRATION_NAMES.filter((name) => !pending.includes(name))
          const progress = progressOn(terminal)
          return onMedia(({ imageFiles: images }) =>
            backup({ source, images, schema, file, isStrict, progress }),
          )(settings)
        }),
      ),
    )(settings)

/** The arguments of commands that write an archive. */
export interface ArchiveOptions {
  /** Writes nothing when an image is missing. */
  readonly strict?: true
}

/**
 * `backup FILE [--strict]`: a checked copy of the database and the images that it shows, in one file, while the service goes on. Images that
 * are missing are told behind it.
 */
export const backUp =
  (file: string, { strict }: ArchiveOptions, terminal: Terminal): Work =>
  (settings) =>
    pipe(
      TE.fromEither(copiedPlace(settings, 'backup')),
      TE.flatMap((source) => unlessNothing(onSource(file, source, strict === true, terminal))(settings)),
    )
