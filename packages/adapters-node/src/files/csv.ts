import { TABLE_BOUNDS, trimmed } from './reading.ts'

/** A row of a CSV file, the head included. */
export interface CsvRow {
  /** The line on which it begins, from 1. */
  readonly line: number
  /** Its first cells; undefined for one with too many characters. */
  readonly cells: ReadonlyArray<string | undefined>
  /** How many cells it has. */
  readonly count: number
}

/** A cell whose quotes are wrong: its line, its place in the row from 0, and the beginning of its text. */
export interface BadQuotes {
  readonly line: number
  readonly cell: number
  readonly text: string
}

/** What reading a CSV file yields: a row, or a row with wrong quotes. */
export type CsvItem = { readonly row: CsvRow } | { readonly badQuotes: BadQuotes }

const [LF, CR, QUOTE] = [0x0a, 0x0d, 0x22]

/** The characters that part cells: commas as RFC 4180 has them, semicolons as Excel writes them where commas are decimal, and tabs. */
export const SEPARATORS: ReadonlyArray<number> = [0x2c, 0x3b, 0x09]
const [COMMA = 0x2c] = SEPARATORS

/** Bytes of a cell that certainly has too many characters. */
const LONGEST_CELL = 4 * TABLE_BOUNDS.cell

/** A place in a file: a byte, and the line it is in. */
interface Place {
  readonly at: number
  readonly line: number
}

const isLineEnd = (byte: number | undefined): boolean => byte === LF || byte === CR

/** Returns the beginning of the next line; a line feed after a carriage return belongs to it. */
const afterLineEnd = (bytes: Buffer, at: number): number =>
  bytes[at] === CR && bytes[at + 1] === LF ? at + 2 : at + 1

const nextLine = (bytes: Buffer, { at, line }: Place): Place => {
  let end = at
  while (end < bytes.length && !isLineEnd(bytes[end])) end += 1
  return { at: Math.min(afterLineEnd(bytes, end), bytes.length), line: line + 1 }
}

/** A cell, and the byte after it. `text` is undefined if it is too long. */
interface Cell extends Place {
  readonly text: string | undefined
}

type Encoding = 'utf8' | 'latin1'

/** The separator between cells, and the encoding of their text. */
interface Form {
  readonly separator: number
  readonly encoding: Encoding
}

const textOf = (bytes: Buffer, from: number, to: number, { encoding }: Form): string | undefined =>
  to - from > LONGEST_CELL ? undefined : bytes.toString(encoding, from, to)

/** Reads a cell in quotes; undefined where they are wrong. */
const quotedCell = (bytes: Buffer, { at, line }: Place, form: Form): Cell | undefined => {
  let hasEscapes = false
  let end = bytes.indexOf(QUOTE, at + 1)
  while (end >= 0 && bytes[end + 1] === QUOTE) {
    hasEscapes = true
    end = bytes.indexOf(QUOTE, end + 2)
  }
  if (end < 0) return undefined
  const next = bytes[end + 1]
  if (next !== undefined && next !== form.separator && !isLineEnd(next)) return undefined
  let lines = 0
  for (let i = at + 1; i < end; i += 1)
    if (bytes[i] === LF || (bytes[i] === CR && bytes[i + 1] !== LF)) lines += 1
  const text = textOf(bytes, at + 1, end, form)
  return { at: end + 1, line: line + lines, text: hasEscapes ? text?.replaceAll('""', '"') : text }
}

/** Reads a cell without quotes; undefined where it has some. */
const plainCell = (bytes: Buffer, { at, line }: Place, form: Form): Cell | undefined => {
  let end = at
  for (; end < bytes.length; end += 1) {
    const byte = bytes[end]
    if (byte === form.separator || byte === LF || byte === CR) break
    if (byte === QUOTE) return undefined
  }
  return { at: end, line, text: textOf(bytes, at, end, form) }
}

/** Returns whether a cell holds nothing but white space. */
export const isBlank = (text: string | undefined): boolean => text !== undefined && trimmed(text) === ''

interface ReadRow {
  readonly row: CsvRow
  readonly isBlank: boolean
  /** The end of the row's line. */
  readonly end: Place
}

/** Bytes of a cell with wrong quotes that its error repeats at most. */
const SHOWN = 200

/** Reads a row, or finds the cell whose quotes are wrong. */
const readRow = (bytes: Buffer, start: Place, form: Form): ReadRow | BadQuotes => {
  const cells: Array<string | undefined> = []
  let [count, blank, place] = [0, true, start]
  for (;;) {
    const read = bytes[place.at] === QUOTE ? quotedCell : plainCell
    const cell = read(bytes, place, form)
    if (cell === undefined)
      return { line: start.line, cell: count, text: bytes.toString('utf8', place.at, place.at + SHOWN) }
    count += 1
    blank &&= isBlank(cell.text)
    if (count <= TABLE_BOUNDS.fields) cells.push(cell.text)
    if (bytes[cell.at] !== form.separator)
      return { row: { line: start.line, cells, count }, isBlank: blank, end: cell }
    place = { at: cell.at + 1, line: cell.line }
  }
}

/** The line in which Excel looks for the separator of cells. */
const SEPARATOR_LINE = /^"?sep=([^\s"\w]|\t)"?[;,\t]*(?:\r\n|\n|\r|$)/i

/** Returns where the rows of a file begin, and the separator that its first line names. */
const startOf = (bytes: Buffer): { readonly start: Place; readonly separator: number | undefined } => {
  const [line, separator] = SEPARATOR_LINE.exec(bytes.toString('latin1', 0, 50)) ?? []
  return line === undefined
    ? { start: { at: 0, line: 1 }, separator: undefined }
    : { start: { at: line.length, line: 2 }, separator: separator?.charCodeAt(0) }
}

/** Returns the separator with which the first row holds most known names, as `score` counts them: commas, unless another one fits better. */
export const separatorOf = (
  bytes: Buffer,
  score: (cells: ReadonlyArray<string | undefined>) => number,
): number => {
  const { separator: stated } = startOf(bytes)
  let [best, most] = [stated ?? COMMA, -1]
  for (const separator of [...(stated === undefined ? [] : [stated]), ...SEPARATORS]) {
    const first = readCsv(bytes, separator).next().value
    const found = first !== undefined && 'row' in first ? score(first.row.cells) : 0
    if (found > most) [best, most] = [separator, found]
  }
  return best
}

/** Returns the cells of the first and of the last row of a text in Latin-1 that may be cut off. */
export const firstRows = (
  bytes: Buffer,
): {
  readonly head: ReadonlyArray<string | undefined>
  readonly last: ReadonlyArray<string | undefined>
} => {
  const separator = separatorOf(bytes, (cells) => cells.length)
  let head: ReadonlyArray<string | undefined> | undefined
  let last: ReadonlyArray<string | undefined> = []
  for (const item of readCsv(bytes, separator, 'latin1'))
    if ('row' in item) {
      last = item.row.cells
      head ??= last
    } else last = []
  return { head: head ?? [], last }
}

/**
 * Yields the rows of a CSV file in UTF-8 as RFC 4180 has it, with any kind of line end. Rows that are blank or hold separators only are left
 * out (H4), as is a first line that names the separator. A row whose quotes are wrong is named, and reading goes on with the line after its first.
 *
 * No library is used, because none bounds the cells of a row before it has them all: 64 MiB of separators would take gigabytes.
 */
export function* readCsv(bytes: Buffer, separator = COMMA, encoding: Encoding = 'utf8'): Generator<CsvItem> {
  let place = startOf(bytes).start
  while (place.at < bytes.length) {
    const read = readRow(bytes, place, { separator, encoding })
    const isRead = 'row' in read
    if (!isRead) yield { badQuotes: read }
    else if (!read.isBlank) yield { row: read.row }
    place = nextLine(bytes, isRead ? read.end : place)
  }
}
