import { cellSentence, noColumn, shownValue } from '@almoner/domain/portfolio'
import { type TableFile, unreadTable } from './names.ts'
import { isTooLong, type Reading, TABLE_BOUNDS, TOO_LONG, TOO_MANY_ROWS, trimmed } from './reading.ts'

/** A row of a CSV file, the head included. */
interface CsvRow {
  /** The line on which it begins, from 1. */
  readonly line: number
  /** Its first cells; undefined for one with too many characters. */
  readonly cells: ReadonlyArray<string | undefined>
  /** How many cells it has. */
  readonly count: number
}

/** A cell whose quotes are wrong: its line, its place in the row from 0, and the beginning of its text. */
interface BadQuotes {
  readonly line: number
  readonly cell: number
  readonly text: string
}

/** What reading a CSV file yields: a row, or a row with wrong quotes. */
type CsvItem = { readonly row: CsvRow } | { readonly badQuotes: BadQuotes }

const [LF, CR, QUOTE] = [0x0a, 0x0d, 0x22]

/** The characters that part cells: commas as RFC 4180 has them, semicolons as Excel writes them where commas are decimal, and tabs. */
const SEPARATORS: ReadonlyArray<number> = [0x2c, 0x3b, 0x09]
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

/** Takes off the apostrophe that an export puts before a formula, so that no spreadsheet runs it. */
const withoutApostrophe = (text: string | undefined): string | undefined =>
  text?.replace(/^'(?='*[=+\-@\t\r])/, '')

/** Returns whether a cell holds nothing but white space. */
const isBlank = (text: string | undefined): boolean => text !== undefined && trimmed(text) === ''

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
    if (count <= TABLE_BOUNDS.fields) cells.push(withoutApostrophe(cell.text))
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
const separatorOf = (bytes: Buffer, score: (cells: ReadonlyArray<string | undefined>) => number): number => {
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

/** The allowed and the required columns of a CSV file. */
export interface Columns {
  /** What the file holds, for messages. */
  readonly table: string
  readonly all: ReadonlyArray<string>
  readonly required: ReadonlyArray<string>
}

const nameOf = (names: ReadonlyArray<string>, at: number): string =>
  names[at] === undefined || names[at] === '' ? `column ${at + 1}` : names[at]

/** Returns the sentence about a cell whose quotes are wrong. */
const badQuotes = ({ cell, text }: BadQuotes, names: ReadonlyArray<string>): string =>
  cellSentence(
    nameOf(names, cell),
    shownValue(text),
    'has quotes that are not as RFC 4180 has them: put the whole cell in quotes, and double those in it',
  )

/** Returns a name of a column without what people vary: case, spaces, hyphens and underscores. */
const folded = (name: string): string =>
  trimmed(name)
    .toLowerCase()
    .replaceAll(/[\s_-]+/gu, '')

/** Returns the columns that cells name: each as the table has it, or as it is where the table does not know it. */
const namesIn = (
  cells: ReadonlyArray<string | undefined>,
  all: ReadonlyArray<string>,
): ReadonlyArray<string> =>
  cells.map((cell = '') => all.find((name) => folded(name) === folded(cell)) ?? trimmed(cell))

type Add = (line: number, text: string) => void
type OnRow = (rows: number) => void

/** The columns of a file: the place of each by its name, and the required ones that it lacks. */
interface Head {
  readonly line: number
  readonly names: ReadonlyArray<string>
  readonly width: number
  readonly lacking: ReadonlyArray<string>
}

const readHead = (row: CsvRow, { table, all, required }: Columns, add: Add): Head => {
  const names = namesIn(row.cells, all)
  for (const [at, name] of names.entries()) {
    if (name === '') continue
    if (!all.includes(name)) add(row.line, `${shownValue(name)} ${noColumn(name, table, all)}`)
    else if (names.indexOf(name) < at) add(row.line, `${name} is given twice: keep one of the two columns`)
  }
  if (row.count > TABLE_BOUNDS.fields)
    add(row.line, `has ${row.count} fields: at most ${TABLE_BOUNDS.fields}`)
  const lacking = required.filter((name) => !names.includes(name))
  for (const name of lacking) add(row.line, `lacks the column ${name}: add it`)
  return { line: row.line, names, width: row.count, lacking }
}

/** Reports values that stand in no column of the head. Blank cells do not matter: spreadsheets add them. */
const addOutside = ({ line, cells, count }: CsvRow, { names, width }: Head, add: Add): void => {
  for (const [at, cell] of cells.entries()) {
    if (isBlank(cell) || (names[at] ?? '') !== '') continue
    const why =
      at < width
        ? 'has no name in the head: name it, or empty it'
        : `is one too many, as the head has ${width}: put a text that holds separators in quotes`
    add(line, cellSentence(`column ${at + 1}`, shownValue(cell && trimmed(cell)), why))
    return
  }
  if (count > width && count > TABLE_BOUNDS.fields)
    add(line, `has ${count} fields where the head has ${width}: at most ${TABLE_BOUNDS.fields}`)
}

/** Reports the errors in the cells of a row, and returns whether it can be taken all the same. */
const canTake = (row: CsvRow, head: Head, add: Add): boolean => {
  addOutside(row, head, add)
  const long = row.cells.flatMap((cell, at) => (cell === undefined || isTooLong(cell) ? [at] : []))
  for (const at of long)
    add(row.line, cellSentence(nameOf(head.names, at), shownValue(row.cells[at]), TOO_LONG))
  return long.length === 0
}

/** The rows of a file, behind its head. */
interface Body {
  readonly rows: ReadonlyArray<Readonly<Record<string, string | undefined>>>
  readonly lines: ReadonlyArray<number>
  readonly isWhole: boolean
}

const readBody = (
  items: Iterable<CsvItem>,
  head: Head,
  { all }: Columns,
  { add, hold, onRow }: { readonly add: Add; readonly hold: (text: string) => void; readonly onRow: OnRow },
): Body => {
  const places = all.map((name) => [name, head.names.indexOf(name)] as const).filter(([, at]) => at >= 0)
  const rows: Array<Body['rows'][number]> = []
  const lines: Array<number> = []
  const addRow = ({ line, cells }: CsvRow): void => {
    const values = places.map(([name, at]) => {
      const cell = cells[at]
      return [name, cell === undefined ? cell : trimmed(cell)] as const
    })
    for (const [, value = ''] of values) hold(value)
    rows.push(Object.fromEntries(values))
    lines.push(line)
    onRow(rows.length)
  }
  let isWhole = true
  for (const item of items) {
    if ('badQuotes' in item) {
      add(item.badQuotes.line, badQuotes(item.badQuotes, head.names))
      isWhole = false
    } else if (rows.length === TABLE_BOUNDS.rows) {
      add(item.row.line, TOO_MANY_ROWS)
      return { rows, lines, isWhole: false }
    } else if (canTake(item.row, head, add)) addRow(item.row)
    else isWhole = false
  }
  return { rows, lines, isWhole }
}

/** Returns the sentence about a file whose first row names no column. */
const withoutHead = ({ all }: Columns, first: CsvRow | undefined): string => {
  const found = shownValue(first?.cells.find((cell) => !isBlank(cell)))
  return `must begin with the names of its columns: ${all.join(', ')}${found === undefined ? '' : `; it begins with "${found}"`}`
}

/**
 * Reads the rows of a CSV file whose first row names the columns. Its cells are parted by commas, semicolons or tabs. Adds its errors to those of the reading: a column that is unknown is one of
 * the head, not of every row.
 * @param onRow called with the number of rows read so far
 * @throws TooManyFaults, FileTooLarge
 */
export const csvTable = (
  file: string,
  bytes: Buffer,
  columns: Columns,
  reading: Reading,
  onRow: OnRow = () => {},
): TableFile => {
  const add: Add = (line, text) => reading.add(file, line, text)
  const known = (cells: CsvRow['cells']) =>
    namesIn(cells, columns.all).filter((name) => columns.all.includes(name)).length
  const items = readCsv(bytes, separatorOf(bytes, known))
  const first = items.next()
  const item: CsvItem | undefined = first.done === true ? undefined : first.value
  if (item !== undefined && 'badQuotes' in item) {
    add(item.badQuotes.line, badQuotes(item.badQuotes, []))
    return unreadTable(file)
  }
  const row = item?.row
  if (row === undefined || known(row.cells) === 0) {
    add(row?.line ?? 1, withoutHead(columns, row))
    return unreadTable(file)
  }
  const head = readHead(row, columns, add)
  const hold = (text: string) => reading.hold(file, text)
  const { rows, lines, isWhole } = readBody(items, head, columns, { add, hold, onRow })
  return { file, rows, lineOf: (row) => lines[row] ?? head.line, lacking: head.lacking, isWhole }
}
