import { dirname } from 'node:path'
import { PORTFOLIO_TABLES, type PortfolioTable } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type FileFault, fileFault } from './file-fault.ts'
import { jsonTable } from './json-table.ts'
import { type JsonTree, propertiesOf, readJson, repeatedNames } from './json-tree.ts'
import { gather, type PortfolioFiles, type ReadTables } from './portfolio-files.ts'
import { readText } from './read-text.ts'

type Read<A> = E.Either<ReadonlyArray<FileFault>, A>

const isTable = (name: string): name is PortfolioTable => PORTFOLIO_TABLES.some((table) => table === name)

const portfolioIn = (tree: JsonTree): Read<PortfolioFiles> => {
  const { file, root, lineOf } = tree
  if (root.type !== 'object')
    return E.left([fileFault(file, lineOf(root), 'must be an object with name and tables')])
  const properties = propertiesOf(root)
  const name = properties.find((property) => property.name === 'name')
  const read: ReadTables = properties.flatMap((property) =>
    isTable(property.name)
      ? [
          [
            property.name,
            pipe(
              jsonTable(tree, property.value),
              E.mapLeft((fault) => [fault]),
            ),
          ] as const,
        ]
      : [],
  )
  const strangers = properties
    .filter((property) => property.name !== 'name' && !isTable(property.name))
    .map(({ key, name: unknown }) => fileFault(file, lineOf(key), `${unknown} is no table of a portfolio`))
  return gather(read, {
    called: name?.value.value,
    name: { file, line: lineOf(name?.key ?? root) },
    images: dirname(file),
    missing: (table) => fileFault(file, lineOf(root), `${table} is required`),
    faults: [...strangers, ...repeatedNames(tree, root)],
  })
}

/** The portfolio that one file of JSON holds; or all that keeps it from being read. */
export const readOneFile = async (file: string): Promise<Read<PortfolioFiles>> =>
  pipe(
    await readText(file),
    E.flatMap((text) => readJson(file, text)),
    E.mapLeft((fault): ReadonlyArray<FileFault> => [fault]),
    E.flatMap(portfolioIn),
  )
