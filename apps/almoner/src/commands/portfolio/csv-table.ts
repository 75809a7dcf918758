import { columnsOf, type PortfolioTable } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { readCsv } from '../csv.ts'
import { type FileFault, fileFault } from './file-fault.ts'
import type { TableFile } from './table-file.ts'

const headFaults = (
  file: string,
  line: number,
  table: PortfolioTable,
  head: ReadonlyArray<string>,
): ReadonlyArray<FileFault> => {
  const columns = columnsOf(table)
  return head.flatMap((name, at) => {
    if (name === '') return [fileFault(file, line, `column ${at + 1} has no name`)]
    if (!columns.includes(name)) return [fileFault(file, line, `${name} is no column of ${table}`)]
    return head.indexOf(name) < at ? [fileFault(file, line, `${name} is given twice`)] : []
  })
}

/** The rows of a CSV file whose first row names the columns; or why it cannot be read. */
export const csvTable = (
  file: string,
  text: string,
  table: PortfolioTable,
): E.Either<ReadonlyArray<FileFault>, TableFile> =>
  pipe(
    readCsv({ name: file, text }, () => undefined),
    E.mapLeft(({ line, message }) => [fileFault(file, line, message)]),
    E.flatMap(([first, ...rows]) => {
      if (first === undefined) return E.left([fileFault(file, 1, 'must begin with the names of its columns')])
      const head = first.cells.map((cell) => cell.trim())
      const faults = headFaults(file, first.line, table, head)
      if (faults.length > 0) return E.left(faults)
      const long = rows.filter(({ cells }) => cells.length > head.length)
      return E.right({
        file,
        rows: rows.map(({ cells }) => Object.fromEntries(head.map((name, at) => [name, cells[at]]))),
        lineOf: (row: number) => rows[row]?.line ?? first.line,
        faults: long.map(({ line, cells }) =>
          fileFault(file, line, `has ${cells.length} fields where the head has ${head.length}`),
        ),
      })
    }),
  )
