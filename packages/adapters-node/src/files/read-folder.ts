import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { columnsOf, PORTFOLIO_TABLES, type PortfolioTable, ROWS } from '@almoner/domain/portfolio'
import { type Columns, csvTable } from './csv-table.ts'
import { FileError, type FileFault, fileFault, readRowsText } from './file-fault.ts'
import { jsonTable, readName } from './json-table.ts'
import { readJson } from './json-tree.ts'
import {
  gather,
  type PortfolioFiles,
  type TableFile,
  type TableFiles,
  unreadTable,
} from './portfolio-files.ts'

const HEAD = 'portfolio.json'

/** Returns the result of plain async code, or what `recover` makes of an error in a file. */
const recovering = async <A>(work: () => Promise<A>, recover: (fault: FileFault) => A): Promise<A> => {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof FileError)) throw cause
    return recover(cause.fault)
  }
}

const columnsIn = (table: PortfolioTable): Columns => ({
  table,
  all: columnsOf(table),
  required: Object.keys(ROWS[table].shape.required),
})

const readTable = (folder: string, table: PortfolioTable, ending: string): Promise<TableFile> => {
  const file = join(folder, `${table}.${ending}`)
  return recovering(async () => {
    const text = await readRowsText(file)
    if (ending === 'csv') return csvTable(file, text, columnsIn(table))
    const tree = readJson(file, text)
    return jsonTable(tree, tree.root)
  }, unreadTable)
}

const tableIn = async (
  folder: string,
  names: ReadonlyArray<string>,
  table: PortfolioTable,
): Promise<TableFiles> => {
  const [ending, ...others] = ['json', 'csv'].filter((one) => names.includes(`${table}.${one}`))
  if (ending === undefined) return []
  const both = fileFault(
    join(folder, `${table}.csv`),
    undefined,
    `stands beside ${table}.json: keep one of the two`,
  )
  return [[table, others.length > 0 ? unreadTable(both) : await readTable(folder, table, ending)]]
}

/** A file that is misspelt must not pass for one that is left out. */
const unexpected = (folder: string, names: ReadonlyArray<string>): ReadonlyArray<FileFault> => {
  const known = [HEAD, ...PORTFOLIO_TABLES.flatMap((table) => [`${table}.json`, `${table}.csv`])]
  return names
    .filter((name) => /\.(?:json|csv)$/.test(name) && !known.includes(name))
    .map((name) => fileFault(join(folder, name), undefined, 'is no table of a portfolio'))
}

type Head = Pick<PortfolioFiles, 'name' | 'faults'>

const readHead = (folder: string): Promise<Head> =>
  recovering(
    async () => {
      const file = join(folder, HEAD)
      const tree = readJson(file, await readRowsText(file))
      if (tree.root.type === 'object') return readName(tree, () => false, 'is unknown here')
      throw new FileError(file, tree.lineOf(tree.root), 'must be an object with name')
    },
    (fault): Head => ({ name: undefined, faults: [fault] }),
  )

/** The portfolio that a folder holds, as far as it can be read. Rejects when the folder itself cannot be. */
export const readFolder = async (folder: string): Promise<PortfolioFiles> => {
  const names = (await readdir(folder)).toSorted()
  const head = await readHead(folder)
  const read: Array<TableFiles> = []
  for (const table of PORTFOLIO_TABLES) read.push(await tableIn(folder, names, table))
  return gather(read.flat(), {
    ...head,
    images: folder,
    missing: (table) => fileFault(folder, undefined, `${table}.json or ${table}.csv is required`),
    faults: [...head.faults, ...unexpected(folder, names)],
  })
}
