import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { copySqlite, sqliteFaults, sqliteImages } from '@almoner/adapters-sqlite'
import { type ImageFiles, imageFilePath } from '@almoner/domain'
import type { Work } from '../../cli/command.ts'
import { progressOn, type Terminal } from '../../cli/terminal.ts'
import { databaseFailure, MIGRATION_NAMES } from '../../composition/store.ts'
import { type ArchiveWriter, writeArchive, writeNewFile } from './archive-writer.ts'
import { ArchiveError, because, orFail } from './errors.ts'
import type { ArchiveOptions } from './export.ts'
import { DATABASE, MANIFEST, MISSING } from './format.ts'
import { addImage, untilSettled } from './images.ts'
import { manifestBytes } from './manifest.ts'
import { missingBytes, writtenPrintout } from './missing-images.ts'
import { ifDatabaseExists, withService, withSqlitePath } from './with-service.ts'

/** Times that the database is copied because an image was deleted meanwhile. */
const ATTEMPTS = 10

/** What a backup is made of. */
interface Source {
  /** The paths of the database and of its copy. */
  readonly database: string
  readonly copy: string
  readonly files: ImageFiles
  /** The migrations that the database has had. */
  readonly schema: ReadonlyArray<string>
  readonly onProgress: (text: string) => void
}

/** Makes a checked copy of the database, in place of an earlier one. */
const copyDatabase = async (file: string, { database, copy, onProgress }: Source): Promise<void> => {
  onProgress('copying the database')
  await rm(copy, { force: true })
  await orFail(
    copySqlite({ file: database, to: copy }),
    because(`${file} cannot be written: the database cannot be copied`),
  )
  onProgress('checking the copy')
  const faults = await orFail(
    sqliteFaults(copy),
    because(`${file} cannot be written: the copy cannot be read`),
  )
  if (faults.length > 0)
    throw new ArchiveError(`is not written: the database is damaged: ${faults.join('; ')}`)
}

/** Adds the images that the copy shows and that are not added yet. Returns the paths of those that are missing. */
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
const writeBackup = async (writer: ArchiveWriter, file: string, isStrict: boolean, source: Source) => {
  await writer.add(MANIFEST, manifestBytes('backup', { schema: source.schema }))
  const added = new Set<string>()
  const { missing } = await untilSettled(ATTEMPTS, isStrict, async () => {
    await copyDatabase(file, source)
    return { missing: await addNewImages(writer, added, source) }
  })
  if (missing.length > 0) await writer.add(MISSING, missingBytes(missing))
  source.onProgress('writing the database')
  await writer.addFile(DATABASE, source.copy)
  return { images: added.size, missing }
}

/**
 * `backup FILE [--strict]`: writes a checked copy of the database and the images that it shows to one file, while the service goes on.
 * Missing images are named afterwards.
 */
export const backUp = (file: string, { strict }: ArchiveOptions, terminal: Terminal): Work =>
  withSqlitePath('backup', (database) =>
    ifDatabaseExists(
      withService({ file, terminal }, async ({ migrator }, { imageFiles: files }) => {
        const { pending } = await orFail(migrator.plan(), databaseFailure)
        const schema = MIGRATION_NAMES.filter((name) => !pending.includes(name))
        const copy = `${file}.${randomUUID()}.database`
        const source = { database, copy, files, schema, onProgress: progressOn(terminal) }
        const written = await writeNewFile(file, (path) =>
          writeArchive(path, (writer) => writeBackup(writer, file, strict === true, source)),
        ).finally(() => rm(copy, { force: true }))
        return writtenPrintout(file, `the database and ${written.images} images`, written)
      }),
    ),
  )
