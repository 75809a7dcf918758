import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PORTFOLIO_TABLES, type PortfolioTable } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { csvTable } from './csv-table.ts'
import { type FileFault, fileFault } from './file-fault.ts'
import { jsonTable } from './json-table.ts'
import { type JsonTree, propertiesOf, readJson, repeatedNames } from './json-tree.ts'
import { gather, type PortfolioFiles, type ReadTables } from './portfolio-files.ts'
import { readText } from './read-text.ts'
import type { TableFile } from './table-file.ts'

const HEAD = 'portfolio.json'

type Read<A> = E.Either<ReadonlyArray<FileFault>, A>

const alone = E.mapLeft((fault: FileFault): ReadonlyArray<FileFault> => [fault])

const readTree = async (file: string): Promise<Read<JsonTree>> =>
  pipe(
    await readText(file),
    E.flatMap((text) => readJson(file, text)),
    alone,
  )

const readTable = async (folder: string, table: PortfolioTable, ending: string): Promise<Read<TableFile>> => {
  const file = join(folder, `${table}.${ending}`)
  if (ending === 'json')
    return pipe(
      await readTree(file),
      E.flatMap((tree) => alone(jsonTable(tree, tree.root))),
    )
  return pipe(
    alone(await readText(file)),
    E.flatMap((text) => csvTable(file, text, table)),
  )
}

const tableIn = async (
  folder: string,
  names: ReadonlyArray<string>,
  table: PortfolioTable,
): Promise<ReadTables> => {
  const [ending, ...others] = ['json', 'csv'].filter((one) => names.includes(`${table}.${one}`))
  if (ending === undefined) return []
  const both = fileFault(
    join(folder, `${table}.csv`),
    undefined,
    `stands beside ${table}.json: keep one of the two`,
  )
  return [[table, others.length > 0 ? E.left([both]) : await readTable(folder, table, ending)]]
}

/** A file that is misspelt must not pass for one that is left out. */
const strangers = (folder: string, names: ReadonlyArray<string>): ReadonlyArray<FileFault> => {
  const known = [HEAD, ...PORTFOLIO_TABLES.flatMap((table) => [`${table}.json`, `${table}.csv`])]
  return names
    .filter((name) => /\.(?:json|csv)$/.test(name) && !known.includes(name))
    .map((name) => fileFault(join(folder, name), undefined, 'is no table of a portfolio'))
}

/** The portfolio that a folder holds; or all that keeps it from being read. */
export const readFolder = async (folder: string): Promise<Read<PortfolioFiles>> => {
  const names = (await readdir(folder)).toSorted()
  const tree = await readTree(join(folder, HEAD))
  if (E.isLeft(tree)) return tree
  const { root, file, lineOf } = tree.right
  const properties = propertiesOf(root)
  const name = properties.find((property) => property.name === 'name')
  const others = properties
    .filter((property) => property.name !== 'name')
    .map(({ key, name: unknown }) => fileFault(file, lineOf(key), `${unknown} is unknown here`))
  const read: Array<ReadTables> = []
  for (const table of PORTFOLIO_TABLES) read.push(await tableIn(folder, names, table))
  return gather(read.flat(), {
    called: name?.value.value,
    name: { file, line: lineOf(name?.key ?? root) },
    images: folder,
    missing: (table) => fileFault(folder, undefined, `${table}.json or ${table}.csv is required`),
    faults: [...others, ...repeatedNames(tree.right, root), ...strangers(folder, names)],
  })
}
