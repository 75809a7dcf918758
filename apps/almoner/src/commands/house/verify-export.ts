import { compareKeys, HOUSE_TABLES, type HouseTable, type NamedImage } from '@almoner/adapters-kysely'
import { type ImageFile, imageFilePath } from '@almoner/domain'
import { ArchiveFault } from './archive-fault.ts'
import type { ArchiveReader } from './archive-reader.ts'
import { type CheckedEntry, checkedEntries } from './checked-entries.ts'
import type { Faults } from './faults.ts'
import { imageName, MISSING, rowsName } from './format.ts'
import { readManifest, refuseOther } from './manifest.ts'
import { readMissing } from './missing-images.ts'
import { makeNewImages } from './new-images.ts'
import { linesOf } from './read-chunk.ts'

/** What an export holds. */
export interface Survey {
  readonly rows: number
  readonly images: number
  /** The paths of images that were missing when it was written. */
  readonly missing: ReadonlyArray<string>
}

/** The entries of an archive, with the one that has the next turn. */
interface Cursor {
  entry: CheckedEntry | undefined
  readonly step: () => Promise<void>
}

const cursorOn = async (entries: AsyncGenerator<CheckedEntry, void>): Promise<Cursor> => {
  const cursor: Cursor = {
    entry: undefined,
    step: async () => {
      cursor.entry = (await entries.next()).value ?? undefined
    },
  }
  await cursor.step()
  return cursor
}

/** What has come so far. */
interface Seen {
  readonly newImages: ReturnType<typeof makeNewImages>
  last: ReadonlyArray<string | number | null> | undefined
  rows: number
  images: number
  /** The images that rows show and that did not come. */
  readonly lacking: Array<ImageFile>
}

/** The rows of a part of a table, looked at one by one. Gives the images that they are the first to show. */
const surveyPart = (table: HouseTable, { name, bytes }: CheckedEntry, faults: Faults, seen: Seen) => {
  const fault = (line: number, sentence: string) => faults.at(name, line, sentence)
  const images: Array<NamedImage> = []
  for (const { line, row } of linesOf(table, bytes, fault)) {
    const key = table.key.map((column) => row[column] ?? null)
    if (seen.last !== undefined && compareKeys(seen.last, key) >= 0)
      fault(line, `${table.key.join(', ')} must be behind that of the row before`)
    seen.last = key
    seen.rows += 1
    images.push(...seen.newImages(table, row))
  }
  return images
}

const surveyImages = async (
  cursor: Cursor,
  images: ReadonlyArray<NamedImage>,
  faults: Faults,
  seen: Seen,
) => {
  for (const { file, bytes } of images) {
    const { entry } = cursor
    if (entry?.name !== imageName(file)) {
      seen.lacking.push(file)
      continue
    }
    if (bytes !== undefined && bytes !== entry.size)
      faults.inside(`${entry.name} has ${entry.size} bytes, and its row says ${bytes}`)
    seen.images += 1
    await cursor.step()
  }
}

/** The images that the archive says it lacks. */
const takeMissing = async (cursor: Cursor): Promise<ReadonlySet<string>> => {
  if (cursor.entry?.name !== MISSING) return new Set()
  const missing = readMissing(cursor.entry.bytes)
  await cursor.step()
  return missing
}

/**
 * Goes through an export from end to end: that it is whole and undamaged, for this program's schema, that each row is one of its table
 * and in its place, and that each image is there. What rows say of each other is looked at when they are loaded. Throws
 * {@link ArchiveFault} where it cannot go on.
 * @param told hears how many bytes are done
 */
export const verifyExport = async (
  reader: ArchiveReader,
  faults: Faults,
  told: (bytes: number) => void,
): Promise<Survey> => {
  const cursor = await cursorOn(checkedEntries(reader, faults.inside))
  if (cursor.entry === undefined) throw new ArchiveFault('is empty')
  const manifest = readManifest('export', cursor.entry.name, cursor.entry.bytes)
  refuseOther(manifest)
  await cursor.step()
  const seen: Seen = { newImages: makeNewImages(), last: undefined, rows: 0, images: 0, lacking: [] }
  for (const table of HOUSE_TABLES) {
    const before = seen.rows
    seen.last = undefined
    for (let n = 1; cursor.entry?.name === rowsName(table.name, n); n += 1) {
      told(cursor.entry.at)
      const images = surveyPart(table, cursor.entry, faults, seen)
      await cursor.step()
      await surveyImages(cursor, images, faults, seen)
    }
    const [count, said] = [seen.rows - before, manifest.rows[table.name]]
    if (count !== said && !faults.isAny())
      faults.add(`holds ${count} rows of ${table.name}, and says ${said}`)
  }
  const missing = await takeMissing(cursor)
  for (const file of seen.lacking)
    if (!missing.has(imageFilePath(file))) faults.add(`lacks ${imageName(file)}, which a row shows`)
  if (cursor.entry !== undefined) throw new ArchiveFault(`holds ${cursor.entry.name} where it should not be`)
  return { rows: seen.rows, images: seen.images, missing: [...missing] }
}
