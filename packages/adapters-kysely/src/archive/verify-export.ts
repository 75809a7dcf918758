import { imageFilePath } from '@almoner/domain/ports'
import type { RowReader } from '../transfer/read-row.ts'
import type { NamedImage, TransferTable } from '../transfer/table.ts'
import { compareKeys, TRANSFER_TABLES } from '../transfer/tables.ts'
import { type Archive, TORN } from './archive-reader.ts'
import { presentTable } from './earlier-schemas.ts'
import { ArchiveError, type ErrorReport } from './errors.ts'
import { imageName, imageOfName, MISSING, rowsOfName } from './format.ts'
import { makeNewImages } from './images.ts'
import { presentManifest, readManifest, readMissing } from './manifest.ts'
import type { OnProgress } from './progress.ts'
import { linesOf } from './rows.ts'
import { type VerifiedEntry, verifiedEntries } from './verify-entries.ts'

/** What an export holds. */
export interface ExportSummary {
  readonly rows: number
  readonly images: number
  /** The paths of images that were missing when it was written. */
  readonly missing: ReadonlyArray<string>
}

/** Verifies the entries of an export one by one. */
const makeVerifier = (readRow: RowReader, report: ErrorReport) => {
  const newImages = makeNewImages()
  /** Images that rows show and that have not come yet. */
  const expected = new Map<string, NamedImage>()
  const counts = new Map<string, number>()
  let at = { table: -1, part: 0 }
  let lastKey: ReadonlyArray<string | number | null> | undefined

  /** Returns the table whose next part an entry is. */
  const tableOf = (name: string): TransferTable | undefined => {
    const { table: tableName, part } = rowsOfName(name) ?? { table: '', part: 0 }
    const table = TRANSFER_TABLES.findIndex((one) => one.name === presentTable(tableName))
    const isNext = table === at.table ? part === at.part + 1 : table > at.table && part === 1
    if (!isNext) return undefined
    if (table !== at.table) lastKey = undefined
    at = { table, part }
    return TRANSFER_TABLES[table]
  }

  return {
    rows({ name, bytes }: VerifiedEntry): boolean {
      const table = tableOf(name)
      if (table === undefined) return false
      const error = (line: number, sentence: string) => report.inside(`${name}:${line}: ${sentence}`)
      for (const { line, row } of linesOf(readRow, table, bytes, error)) {
        const key = table.key.map((column) => row[column] ?? null)
        if (lastKey !== undefined && compareKeys(lastKey, key) >= 0)
          error(line, `${table.key.join(', ')} must be behind that of the row before`)
        lastKey = key
        counts.set(table.name, (counts.get(table.name) ?? 0) + 1)
        for (const image of newImages(table, row)) expected.set(imageName(image.file), image)
      }
      return true
    },
    image({ name, size }: VerifiedEntry): boolean {
      const { bytes = size } = expected.get(name) ?? {}
      if (bytes !== size) report.inside(`${name} has ${size} bytes, and its row says ${bytes}`)
      return expected.delete(name)
    },
    end(said: (table: string) => number, missing: ReadonlySet<string>): number {
      for (const { name } of TRANSFER_TABLES) {
        const count = counts.get(name) ?? 0
        if (count !== said(name) && report.isEmpty())
          report.add(`holds ${count} rows of ${name}, and says ${said(name)}`)
      }
      for (const [name, { file }] of expected)
        if (!missing.has(imageFilePath(file))) report.add(`lacks ${name}, which a row shows`)
      return counts.values().reduce((sum, count) => sum + count, 0)
    },
  }
}

/**
 * Verifies an export from start to end: that it is whole and undamaged and of a schema that can be imported, that each row is valid and in its place,
 * and that each image is there. References are checked when the rows are loaded. Throws {@link ArchiveError} where it cannot go on.
 */
export const verifyExport = async (
  archive: Archive,
  readRow: RowReader,
  report: ErrorReport,
  onProgress: OnProgress,
): Promise<ExportSummary> => {
  const entries = verifiedEntries(archive, report)
  const first = (await entries.next()).value
  if (first === undefined) throw new ArchiveError(TORN)
  const manifest = presentManifest(readManifest('export', first))
  // An older program did not know every table.
  const said = (table: string): number => manifest.rows?.[table] ?? 0
  const verifier = makeVerifier(readRow, report)
  let missing: ReadonlySet<string> = new Set()
  let images = 0
  for await (const entry of entries) {
    onProgress('checking', { done: entry.at, total: archive.size, units: 'bytes' })
    if (entry.name === MISSING) missing = readMissing(entry.bytes)
    else if (imageOfName(entry.name) !== undefined && verifier.image(entry)) images += 1
    else if (!verifier.rows(entry)) throw new ArchiveError(`holds ${entry.name} where it should not be`)
  }
  return { rows: verifier.end(said, missing), images, missing: [...missing] }
}
