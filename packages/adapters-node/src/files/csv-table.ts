import { columnsOf, type PortfolioTable, ROWS } from '@almoner/domain'
import { type CsvRow, readCsv } from './csv.ts'
import { type FileFault, fileFault } from './file-fault.ts'
import { type TableFile, unreadTable } from './table-file.ts'

const nameFaults = (
  { line, cells }: CsvRow,
  file: string,
  table: PortfolioTable,
): ReadonlyArray<FileFault> => {
  const columns = columnsOf(table)
  return cells.flatMap((name, at) => {
    if (name === '') return [fileFault(file, line, `column ${at + 1} has no name`)]
    if (!columns.includes(name)) return [fileFault(file, line, `${name} is no column of ${table}`)]
    return cells.indexOf(name) < at ? [fileFault(file, line, `${name} is given twice`)] : []
  })
}

/** Cells by the names of their columns. What the table has no column for is the head's fault, and not that of every row. */
const rowReader = (head: CsvRow, table: PortfolioTable) => {
  const places = columnsOf(table)
    .map((name) => [name, head.cells.indexOf(name)] as const)
    .filter(([, at]) => at >= 0)
  return ({ cells }: CsvRow) => Object.fromEntries(places.map(([name, at]) => [name, cells[at]]))
}

/** The rows of a CSV file whose first row names the columns, and all that is wrong with it. */
export const csvTable = (file: string, text: string, table: PortfolioTable): TableFile => {
  const { head: first, rows, faults } = readCsv(text, () => undefined)
  const unread = faults.map(({ line, message }) => fileFault(file, line, message))
  if (first === undefined)
    return unreadTable(unread[0] ?? fileFault(file, 1, 'must begin with the names of its columns'))
  const head = { ...first, cells: first.cells.map((cell) => cell.trim()) }
  const width = head.cells.length
  const lacking = Object.keys(ROWS[table].shape.required).filter((name) => !head.cells.includes(name))
  return {
    file,
    rows: rows.map(rowReader(head, table)),
    lineOf: (row) => rows[row]?.line ?? head.line,
    faults: [
      ...nameFaults(head, file, table),
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
