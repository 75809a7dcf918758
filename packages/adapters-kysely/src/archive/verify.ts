import { imageFilePath } from '@almoner/domain/ports'
import { compareKeys, type ImportBatch, TRANSFER_TABLES } from '../transfer/load.ts'
import type { ReadRow, RowReader } from '../transfer/rows.ts'
import type { NamedImage, TransferTable } from '../transfer/table.ts'
import {
  type Archive,
  bytesOf,
  DATABASE,
  imageName,
  imageOfName,
  MISSING,
  rowsOfName,
  TORN,
} from './archive.ts'
import { ArchiveError, type ErrorReport } from './errors.ts'
import { makeNewImages, type OnProgress } from './export.ts'
import {
  parseJson,
  readManifest,
  readMissing,
  rejectOlder,
  type VerifiedEntry,
  verifiedEntries,
} from './manifest.ts'

/** Rows that are loaded at a time. */
const BATCH = 500

const MIB = 1024 * 1024

/** The texts between line ends; the last one needs no end. Undefined for one that is longer than any row: parsing it may take gigabytes (H4). */
function* textsOf(bytes: Buffer): Generator<string | undefined, void> {
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\n', at)
    const next = end < 0 ? bytes.length : end
    yield next - at > MIB ? undefined : bytes.toString('utf8', at, next)
    at = next + 1
  }
}

const UNSCHEDULED = { publish_at: null, archive_at: null }

/** Columns that rows of an older schema lack, those of unreleased states too, with their values (ADR 53). */
const ADDED_COLUMNS: Readonly<Record<string, Readonly<Record<string, null | number | string>>>> = {
  client: { for_people: 0, public: 0, audience: null },
  client_secret: { life: null },
  media: { width: null, height: null, released_at: null },
  notification: { revision: 1, label_id: null },
  person: { topics: '[]', epoch: 0 },
  provider: {
    ...{ unanswered: 0, refusals: 0, backoffs: 0, probes: 0, probe_at: null, probe_delivery: null },
    ...{ probe_device: null, accepted_at: null, accepted_with: null },
    ...{ planned_at: null, override_since: null },
  },
  retry: { refusals: 0, planned_at: null },
  delivery: { shortened: '', counted_from: null, label_id: null },
  library_item: { ...UNSCHEDULED, was_live: 1, cover_alt: null, notification_alt: null },
  feed_item: { ...UNSCHEDULED, was_live: 1, image_alt: null, reason: null },
  translation: { en_base: null, fr_base: null },
}

/**
 * Returns a parsed row with all columns. One that waited for Web Push as a whole is due, and waits for its origin. Before preferences were kept,
 * people are known since the epoch of the export (F7).
 */
const presentRow = (table: string, row: unknown): unknown => {
  if (typeof row !== 'object' || row === null) return row
  const whole: Readonly<Record<string, unknown>> = { ...ADDED_COLUMNS[table], ...row }
  if (table === 'epoch') return { inbox_epoch: whole['value'], ...whole }
  return table === 'retry' && whole['held_for'] === 'webpush'
    ? { ...whole, held_for: null, due_at: 0 }
    : whole
}

const readText = (readRow: RowReader, table: TransferTable, text: string | undefined): ReadRow => {
  if (text === undefined) return { errors: ['has more than 1 MiB, which no row has'] }
  const value = parseJson(text)
  return value === undefined ? { errors: ['is no JSON'] } : readRow(table, presentRow(table.name, value))
}

/** Reads the rows of a part of a table, with their lines from 1. Each error is reported to `onError`, and its row left out. */
export function* linesOf(
  readRow: RowReader,
  table: TransferTable,
  bytes: Buffer,
  onError: (line: number, sentence: string) => void,
): Generator<ImportBatch['rows'][number], void> {
  let line = 0
  for (const text of textsOf(bytes)) {
    line += 1
    const read = readText(readRow, table, text)
    if ('row' in read) yield { line, row: read.row }
    else for (const sentence of read.errors) onError(line, sentence)
  }
}

const changed = (): never => {
  throw new ArchiveError('changed while it was read')
}

/** Reads the rows of an export that was verified, in batches. */
export async function* batchesOf(archive: Archive, readRow: RowReader): AsyncGenerator<ImportBatch, void> {
  for await (const entry of archive.entries()) {
    const name = rowsOfName(entry.name)?.table
    const table = TRANSFER_TABLES.find((one) => one.name === name)
    if (table === undefined) continue
    let rows: Array<ImportBatch['rows'][number]> = []
    for (const row of linesOf(readRow, table, await bytesOf(entry), changed))
      if (rows.push(row) === BATCH) {
        yield { table, entry: entry.name, rows }
        rows = []
      }
    if (rows.length > 0) yield { table, entry: entry.name, rows }
  }
}

/** What a backup holds besides the database. */
export interface BackupSummary {
  /** The names of the entries of images. */
  readonly images: ReadonlySet<string>
  /** The paths of images that were missing when it was written. */
  readonly missing: ReadonlySet<string>
}

/** Verifies a backup from start to end: that it is whole, undamaged and of no newer program. */
export const verifyBackup = async (
  archive: Archive,
  report: ErrorReport,
  onProgress: OnProgress,
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
    onProgress('checking', { done: at, total: archive.size, units: 'bytes' })
  }
  if (!names.has(DATABASE)) throw new ArchiveError(`lacks ${DATABASE}`)
  return { images, missing }
}

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
    const table = TRANSFER_TABLES.findIndex((one) => one.name === tableName)
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
  const manifest = readManifest('export', first)
  rejectOlder(manifest)
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
