import { CsvError, type Options, parse } from 'csv-parse/sync'
import * as E from 'fp-ts/lib/Either.js'

/** A row of a CSV file, the head included. */
export interface CsvRow {
  /** The line on which it begins, from 1. */
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

/** A file, by its name and what it holds. */
export interface TextFile {
  readonly name: string
  readonly text: string
}

/** Something wrong with a row of a file. */
export interface CsvFault {
  readonly file: string
  readonly line: number
  readonly message: string
}

/** What the library gives for a row when it is asked for the row's text too; its types do not say so. */
interface WithText {
  readonly raw: string
  readonly record: ReadonlyArray<string>
}

const LINE_END = /\r\n|\n|\r/g

/** A quote that is never closed must not swallow a whole file. */
const LONGEST_ROW = 100_000

/**
 * The rows of a CSV file as RFC 4180 has it, with any kind of line end; empty lines are left out. A fault, with the line
 * on which the row begins, when quotes are not as they should be.
 * @param told hears of every row how many there are so far
 */
export const readCsv = (
  { name, text }: TextFile,
  told: (rows: number) => void,
): E.Either<CsvFault, ReadonlyArray<CsvRow>> => {
  const rows: Array<CsvRow> = []
  let line = 1
  const keep = ({ raw, record }: WithText): null => {
    if (record.length > 1 || record[0] !== '') rows.push({ line, cells: record })
    // The line feed of a CRLF belongs to no row, so that the carriage return counts for both.
    line += raw.match(LINE_END)?.length ?? 0
    told(rows.length)
    return null
  }
  try {
    parse(text, {
      raw: true,
      relax_column_count: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      max_record_size: LONGEST_ROW,
      on_record: keep as unknown as NonNullable<Options['on_record']>,
    })
    return E.right(rows)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return E.left({ file: name, line, message: 'the quotes of this row are not as RFC 4180 has them' })
  }
}
