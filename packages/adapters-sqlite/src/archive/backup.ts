import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import {
  ArchiveError,
  type ArchiveRefused,
  type ArchiveWriter,
  aboutArchive,
  addImage,
  DATABASE,
  MANIFEST,
  MISSING,
  manifestBytes,
  missingBytes,
  orThrow,
  untilSettled,
  type WriteOptions,
  type WrittenArchive,
  writeArchive,
  writeNewFile,
} from '@almoner/adapters-kysely/archive'
import type { Unavailable } from '@almoner/domain'
import { type ImageFiles, imageFilePath } from '@almoner/domain/ports'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { copySqlite, sqliteFaults, sqliteImages } from '../backup.ts'

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
