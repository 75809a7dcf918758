import { type CsvRow, readCsv } from './csv.ts'
import { type FileFault, fileFault } from './file-fault.ts'
import { type TableFile, unreadTable } from './portfolio-files.ts'

/** The allowed and the required columns of a CSV file. */
export interface Columns {
  /** What the file holds, for messages. */
  readonly table: string
  readonly all: ReadonlyArray<string>
  readonly required: ReadonlyArray<string>
}

const nameFaults = (
  { line, cells }: CsvRow,
  file: string,
  { table, all }: Columns,
): ReadonlyArray<FileFault> =>
  cells.flatMap((name, at) => {
    if (name === '') return [fileFault(file, line, `column ${at + 1} has no name`)]
    if (!all.includes(name)) return [fileFault(file, line, `${name} is no column of ${table}`)]
    return cells.indexOf(name) < at ? [fileFault(file, line, `${name} is given twice`)] : []
  })

/** Returns cells by the names of their columns. An unknown column is an error of the head, not of every row. */
const rowReader = (head: CsvRow, { all }: Columns) => {
  const places = all.map((name) => [name, head.cells.indexOf(name)] as const).filter(([, at]) => at >= 0)
  return ({ cells }: CsvRow) => Object.fromEntries(places.map(([name, at]) => [name, cells[at]]))
}

/**
 * Reads the rows of a CSV file whose first row names the columns, with its errors.
 * @param onRow called with the number of rows read so far
 */
export const csvTable = (
  file: string,
  text: string,
  columns: Columns,
  onRow: (rows: number) => void = () => {},
): TableFile => {
  const { head: first, rows, faults } = readCsv(text, onRow)
  const unread = faults.map(({ line, message }) => fileFault(file, line, message))
  if (first === undefined) {
    const names = columns.all.join(', ')
    return unreadTable(unread[0] ?? fileFault(file, 1, `must begin with the names of its columns: ${names}`))
  }
  const head = { ...first, cells: first.cells.map((cell) => cell.trim()) }
  const width = head.cells.length
  const lacking = columns.required.filter((name) => !head.cells.includes(name))
  return {
    file,
    rows: rows.map(rowReader(head, columns)),
    lineOf: (row) => rows[row]?.line ?? head.line,
    faults: [
      ...nameFaults(head, file, columns),
      ...lacking.map((name) => fileFault(file, head.line, `lacks the column ${name}`)),
      ...rows
        .filter(({ cells }) => cells.length > width)
        .map(({ line, cells }) =>
          fileFault(file, line, `has ${cells.length} fields where the head has ${width}`),
        ),
      ...unread,
    ],
    lacking,
    isWhole: unread.length === 0,
  }
}
