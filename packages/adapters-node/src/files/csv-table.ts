import { cellSentence, noColumn, shownValue } from '@almoner/domain/portfolio'
import { type BadQuotes, type CsvItem, type CsvRow, isBlank, readCsv, separatorOf } from './csv.ts'
import { type TableFile, unreadTable } from './portfolio-files.ts'
import { isTooLong, type Reading, TABLE_BOUNDS, TOO_LONG, TOO_MANY_ROWS, trimmed } from './reading.ts'

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
