import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { columnsOf, PORTFOLIO_TABLES, type PortfolioTable, ROWS } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type Columns, csvTable } from './csv-table.ts'
import { type FileFault, fileFault, readRowsText } from './file-fault.ts'
import { jsonTable, readName } from './json-table.ts'
import { type JsonTree, readJson } from './json-tree.ts'
import {
  gather,
  type PortfolioFiles,
  type TableFile,
  type TableFiles,
  unreadTable,
} from './portfolio-files.ts'

const HEAD = 'portfolio.json'

const readTree = async (file: string): Promise<E.Either<FileFault, JsonTree>> =>
  pipe(
    await readRowsText(file),
    E.flatMap((text) => readJson(file, text)),
  )

const columnsIn = (table: PortfolioTable): Columns => ({
  table,
  all: columnsOf(table),
  required: Object.keys(ROWS[table].shape.required),
})

const readTable = async (folder: string, table: PortfolioTable, ending: string): Promise<TableFile> => {
  const file = join(folder, `${table}.${ending}`)
  const read =
    ending === 'json'
      ? E.map((tree: JsonTree) => jsonTable(tree, tree.root))(await readTree(file))
      : E.map((text: string) => csvTable(file, text, columnsIn(table)))(await readRowsText(file))
  return E.getOrElse(unreadTable)(read)
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
const strangers = (folder: string, names: ReadonlyArray<string>): ReadonlyArray<FileFault> => {
  const known = [HEAD, ...PORTFOLIO_TABLES.flatMap((table) => [`${table}.json`, `${table}.csv`])]
  return names
    .filter((name) => /\.(?:json|csv)$/.test(name) && !known.includes(name))
    .map((name) => fileFault(join(folder, name), undefined, 'is no table of a portfolio'))
}

type Head = Pick<PortfolioFiles, 'name' | 'faults'>

const headIn = (tree: JsonTree): E.Either<FileFault, Head> =>
  tree.root.type === 'object'
    ? E.right(readName(tree, () => false, 'is unknown here'))
    : E.left(fileFault(tree.file, tree.lineOf(tree.root), 'must be an object with name'))

const readHead = async (folder: string): Promise<Head> =>
  pipe(
    await readTree(join(folder, HEAD)),
    E.flatMap(headIn),
    E.getOrElse((fault): Head => ({ name: undefined, faults: [fault] })),
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
    faults: [...head.faults, ...strangers(folder, names)],
  })
}
