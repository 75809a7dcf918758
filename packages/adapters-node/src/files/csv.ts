import { CsvError, type Options, parse } from 'csv-parse/sync'

/** A row of a CSV file, the head included. */
export interface CsvRow {
  /** The line on which it begins, from 1. */
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

/** Something wrong with a row. */
export interface CsvFault {
  readonly line: number
  readonly message: string
}

/** What a CSV file holds. */
export interface CsvFile {
  /** The first row; undefined when there is none, or none that can be read. */
  readonly head: CsvRow | undefined
  /** The others that can be read. */
  readonly rows: ReadonlyArray<CsvRow>
  /** The unreadable rows. */
  readonly faults: ReadonlyArray<CsvFault>
}

/** What the library gives for a row when it is asked for the row's text too; its types do not say so. */
interface WithText {
  readonly raw: string
  readonly record: ReadonlyArray<string>
}

const LINE_END = /\r\n|\n|\r/g
const [LF, CR] = [0x0a, 0x0d]

/** A quote that is never closed must not swallow a whole file. */
const LONGEST_ROW = 100_000

const BAD_QUOTES = 'the quotes of this row are not as RFC 4180 has them'

/** Whether all rows could be read; `keep` hears of each until one cannot. */
const isRead = (bytes: Buffer, keep: (row: WithText) => null): boolean => {
  try {
    parse(bytes, {
      raw: true,
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: LONGEST_ROW,
      on_record: keep as unknown as NonNullable<Options['on_record']>,
    })
    return true
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return false
  }
}

/** Returns the end of this number of lines from a position. */
const afterLines = (bytes: Buffer, from: number, lines: number): number => {
  let at = from
  for (let left = lines; left > 0 && at < bytes.length; at += 1)
    if (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] !== LF)) left -= 1
  return at
}

/**
 * The rows of a CSV file as RFC 4180 has it, with any kind of line end; empty lines are left out. A row whose quotes are not as they
 * should be is a fault, with the line on which it begins, and reading goes on with the next line; without the head it does not.
 * @param told hears of every row how many there are so far
 */
export const readCsv = (text: string, told: (rows: number) => void): CsvFile => {
  const bytes = Buffer.from(text)
  const all: Array<CsvRow> = []
  const faults: Array<CsvFault> = []
  let line = 1
  const keep = ({ raw, record }: WithText): null => {
    if (record.length > 1 || record[0] !== '') all.push({ line, cells: record })
    // The line feed of a CRLF belongs to no row, so that the carriage return counts for both.
    line += raw.match(LINE_END)?.length ?? 0
    told(all.length)
    return null
  }
  let at = 0
  let first = line
  while (at < bytes.length && !isRead(bytes.subarray(at), keep)) {
    faults.push({ line, message: BAD_QUOTES })
    if (all.length === 0) break
    line += 1
    at = afterLines(bytes, at, line - first)
    first = line
  }
  const [head, ...rows] = all
  return { head, rows, faults }
}
