import { type CsvItem, type CsvRow, readCsv } from './csv.ts'
import { type TableFile, unreadTable } from './portfolio-files.ts'
import { isTooLong, type Reading, TABLE_BOUNDS, TOO_LONG, TOO_MANY_ROWS } from './reading.ts'

/** The allowed and the required columns of a CSV file. */
export interface Columns {
  /** What the file holds, for messages. */
  readonly table: string
  readonly all: ReadonlyArray<string>
  readonly required: ReadonlyArray<string>
}

const BAD_QUOTES = 'the quotes of this row are not as RFC 4180 has them'

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
  const names = row.cells.map((cell) => (cell ?? '').trim())
  for (const [at, name] of names.entries()) {
    if (name === '') add(row.line, `column ${at + 1} has no name`)
    else if (!all.includes(name)) add(row.line, `${name} is no column of ${table}`)
    else if (names.indexOf(name) < at) add(row.line, `${name} is given twice`)
  }
  if (row.count > TABLE_BOUNDS.fields)
    add(row.line, `has ${row.count} fields: at most ${TABLE_BOUNDS.fields}`)
  const lacking = required.filter((name) => !names.includes(name))
  for (const name of lacking) add(row.line, `lacks the column ${name}`)
  return { line: row.line, names, width: row.count, lacking }
}

/** Reports the errors in the cells of a row, and returns whether it can be taken all the same. */
const canTake = ({ line, cells, count }: CsvRow, { names, width }: Head, add: Add): boolean => {
  if (count > width) add(line, `has ${count} fields where the head has ${width}`)
  const long = cells.flatMap((cell, at) => (cell === undefined || isTooLong(cell) ? [at] : []))
  for (const at of long) add(line, `${names[at] ?? `column ${at + 1}`} ${TOO_LONG}`)
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
    for (const [, at] of places) hold(cells[at] ?? '')
    rows.push(Object.fromEntries(places.map(([name, at]) => [name, cells[at]])))
    lines.push(line)
    onRow(rows.length)
  }
  let isWhole = true
  for (const item of items) {
    if ('badQuotes' in item) {
      add(item.badQuotes, BAD_QUOTES)
      isWhole = false
    } else if (rows.length === TABLE_BOUNDS.rows) {
      add(item.row.line, TOO_MANY_ROWS)
      return { rows, lines, isWhole: false }
    } else if (canTake(item.row, head, add)) addRow(item.row)
    else isWhole = false
  }
  return { rows, lines, isWhole }
}

/**
 * Reads the rows of a CSV file whose first row names the columns. Adds its errors to those of the reading: a column that is unknown is one of
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
  const items = readCsv(bytes)
  const first = items.next()
  if (first.done === true) add(1, `must begin with the names of its columns: ${columns.all.join(', ')}`)
  else if ('badQuotes' in first.value) add(first.value.badQuotes, BAD_QUOTES)
  if (first.done === true || 'badQuotes' in first.value) return unreadTable(file)
  const head = readHead(first.value.row, columns, add)
  const hold = (text: string) => reading.hold(file, text)
  const { rows, lines, isWhole } = readBody(items, head, columns, { add, hold, onRow })
  return { file, rows, lineOf: (row) => lines[row] ?? head.line, lacking: head.lacking, isWhole }
}
