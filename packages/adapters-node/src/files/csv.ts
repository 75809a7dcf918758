import { TABLE_BOUNDS } from './reading.ts'

/** A row of a CSV file, the head included. */
export interface CsvRow {
  /** The line on which it begins, from 1. */
  readonly line: number
  /** Its first cells; undefined for one with too many characters. */
  readonly cells: ReadonlyArray<string | undefined>
  /** How many cells it has. */
  readonly count: number
}

/** What reading a CSV file yields: a row, or the line of a row with wrong quotes. */
export type CsvItem = { readonly row: CsvRow } | { readonly badQuotes: number }

const [LF, CR, COMMA, QUOTE] = [0x0a, 0x0d, 0x2c, 0x22]

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

const textOf = (bytes: Buffer, from: number, to: number): string | undefined =>
  to - from > LONGEST_CELL ? undefined : bytes.toString('utf8', from, to)

/** Reads a cell in quotes; undefined where they are wrong. */
const quotedCell = (bytes: Buffer, { at, line }: Place): Cell | undefined => {
  let hasEscapes = false
  let end = bytes.indexOf(QUOTE, at + 1)
  while (end >= 0 && bytes[end + 1] === QUOTE) {
    hasEscapes = true
    end = bytes.indexOf(QUOTE, end + 2)
  }
  if (end < 0) return undefined
  const next = bytes[end + 1]
  if (next !== undefined && next !== COMMA && !isLineEnd(next)) return undefined
  let lines = 0
  for (let i = at + 1; i < end; i += 1)
    if (bytes[i] === LF || (bytes[i] === CR && bytes[i + 1] !== LF)) lines += 1
  const text = textOf(bytes, at + 1, end)
  return { at: end + 1, line: line + lines, text: hasEscapes ? text?.replaceAll('""', '"') : text }
}

/** Reads a cell without quotes; undefined where it has some. */
const plainCell = (bytes: Buffer, { at, line }: Place): Cell | undefined => {
  let end = at
  for (; end < bytes.length; end += 1) {
    const byte = bytes[end]
    if (byte === COMMA || byte === LF || byte === CR) break
    if (byte === QUOTE) return undefined
  }
  return { at: end, line, text: textOf(bytes, at, end) }
}

const isBlank = (text: string | undefined): boolean => text !== undefined && text.trim() === ''

interface ReadRow {
  readonly row: CsvRow
  readonly isBlank: boolean
  /** The end of the row's line. */
  readonly end: Place
}

/** Reads a row; undefined where its quotes are wrong. */
const readRow = (bytes: Buffer, start: Place): ReadRow | undefined => {
  const cells: Array<string | undefined> = []
  let [count, blank, place] = [0, true, start]
  for (;;) {
    const cell = bytes[place.at] === QUOTE ? quotedCell(bytes, place) : plainCell(bytes, place)
    if (cell === undefined) return undefined
    count += 1
    blank &&= isBlank(cell.text)
    if (count <= TABLE_BOUNDS.fields) cells.push(cell.text)
    if (bytes[cell.at] !== COMMA)
      return { row: { line: start.line, cells, count }, isBlank: blank, end: cell }
    place = { at: cell.at + 1, line: cell.line }
  }
}

/**
 * Yields the rows of a CSV file in UTF-8 as RFC 4180 has it, with any kind of line end. Rows that are blank or hold separators only are left
 * out (H4). A row whose quotes are wrong is named, and reading goes on with the line after its first.
 *
 * No library is used, because none bounds the cells of a row before it has them all: 64 MiB of separators would take gigabytes.
 */
export function* readCsv(bytes: Buffer): Generator<CsvItem> {
  let place: Place = { at: 0, line: 1 }
  while (place.at < bytes.length) {
    const read = readRow(bytes, place)
    if (read === undefined) yield { badQuotes: place.line }
    else if (!read.isBlank) yield { row: read.row }
    place = nextLine(bytes, read?.end ?? place)
  }
}
