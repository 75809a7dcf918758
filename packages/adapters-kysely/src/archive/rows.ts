import type { ImportBatch } from '../transfer/load.ts'
import type { ReadRow, RowReader } from '../transfer/read-row.ts'
import type { TransferTable } from '../transfer/table.ts'
import { TRANSFER_TABLES } from '../transfer/tables.ts'
import { type Archive, bytesOf } from './archive-reader.ts'
import { presentRow, presentTable } from './earlier-schemas.ts'
import { ArchiveError } from './errors.ts'
import { rowsOfName } from './format.ts'
import { parseJson } from './manifest.ts'

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
    const name = presentTable(rowsOfName(entry.name)?.table ?? '')
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
