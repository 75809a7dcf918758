import { dirname } from 'node:path'
import { PORTFOLIO_TABLES, type PortfolioTable } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type FileFault, fileFault, readRowsText } from './file-fault.ts'
import { jsonTable, readName } from './json-table.ts'
import { type JsonTree, propertiesOf, readJson } from './json-tree.ts'
import { gather, type PortfolioFiles, type TableFiles } from './portfolio-files.ts'

const isTable = (name: string): name is PortfolioTable => PORTFOLIO_TABLES.some((table) => table === name)

const portfolioIn = (tree: JsonTree): E.Either<FileFault, PortfolioFiles> => {
  const { file, root, lineOf } = tree
  if (root.type !== 'object')
    return E.left(fileFault(file, lineOf(root), 'must be an object with name and tables'))
  const read: TableFiles = propertiesOf(root).flatMap(({ name, value }) =>
    isTable(name) ? [[name, jsonTable(tree, value)] as const] : [],
  )
  return E.right(
    gather(read, {
      ...readName(tree, isTable, 'is no table of a portfolio'),
      images: dirname(file),
      missing: (table) => fileFault(file, lineOf(root), `${table} is required`),
    }),
  )
}

/** The portfolio that one file of JSON holds; or what keeps it from being read. */
export const readOneFile = async (file: string): Promise<E.Either<FileFault, PortfolioFiles>> =>
  pipe(
    await readRowsText(file),
    E.flatMap((text) => readJson(file, text)),
    E.flatMap(portfolioIn),
  )
