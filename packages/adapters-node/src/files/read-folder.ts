import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { columnsOf, PORTFOLIO_TABLES, type PortfolioTable, ROWS } from '@almoner/domain/portfolio'
import * as E from 'fp-ts/lib/Either.js'
import { type Columns, csvTable } from './csv-table.ts'
import { FileError, fileFault } from './file-fault.ts'
import type { JsonProperty } from './json-containers.ts'
import { readJsonFile } from './json-rows.ts'
import {
  gather,
  type NamePlace,
  type PortfolioFiles,
  type TableFile,
  type TableFiles,
  unreadTable,
} from './portfolio-files.ts'
import { readTextBytes, whyUnread } from './read-file.ts'
import { FileTooLarge, moreThan, type Reading, TABLE_BOUNDS } from './reading.ts'

const HEAD = 'portfolio.json'

/** Reads the bytes of a table, which stay until the next one is read. @throws FileError, FileTooLarge */
export const tableBytes = async (file: string, reading: Reading): Promise<Buffer> => {
  reading.begin(file)
  const bytes = await readTextBytes(file, TABLE_BOUNDS.bytes, reading.spaceOf)
  if (E.isRight(bytes)) return bytes.right
  if (bytes.left === moreThan(TABLE_BOUNDS.bytes)) throw new FileTooLarge(file, bytes.left)
  throw new FileError(file, undefined, bytes.left)
}

/** Returns the result of plain async code; adds an error in a file to those of the reading, and returns what `recover` gives. */
const recovering = async <A>(reading: Reading, work: () => Promise<A>, recover: () => A): Promise<A> => {
  try {
    return await work()
  } catch (cause) {
    if (!(cause instanceof FileError)) throw cause
    const { file, line, text } = cause.fault
    reading.add(file, line, text)
    return recover()
  }
}

const columnsIn = (table: PortfolioTable): Columns => ({
  table,
  all: columnsOf(table),
  required: Object.keys(ROWS[table].shape.required),
})

const readTable = (
  folder: string,
  table: PortfolioTable,
  ending: string,
  reading: Reading,
): Promise<TableFile> => {
  const file = join(folder, `${table}.${ending}`)
  return recovering(
    reading,
    async () => {
      const bytes = await tableBytes(file, reading)
      if (ending === 'csv') return csvTable(file, bytes, columnsIn(table), reading)
      const { rows, line } = readJsonFile(file, bytes, reading)
      if (rows === undefined) throw new FileError(file, line, 'must be an array of rows')
      return { file, ...rows, isWhole: rows.isWhole, lacking: [] }
    },
    () => unreadTable(file),
  )
}

const tableIn = async (
  folder: string,
  names: ReadonlyArray<string>,
  table: PortfolioTable,
  reading: Reading,
): Promise<TableFiles> => {
  const [ending, ...others] = ['json', 'csv'].filter((one) => names.includes(`${table}.${one}`))
  if (ending === undefined) return []
  if (others.length === 0) return [[table, await readTable(folder, table, ending, reading)]]
  const file = join(folder, `${table}.csv`)
  reading.add(file, undefined, `stands beside ${table}.json: keep one of the two`)
  return [[table, unreadTable(file)]]
}

/** A file that is misspelt must not pass for one that is left out. */
const addUnexpected = (folder: string, names: ReadonlyArray<string>, reading: Reading): void => {
  const known = [HEAD, ...PORTFOLIO_TABLES.flatMap((table) => [`${table}.json`, `${table}.csv`])]
  for (const name of names)
    if (/\.(?:json|csv)$/.test(name) && !known.includes(name))
      reading.add(join(folder, name), undefined, 'is no table of a portfolio')
}

/** Returns the name of a portfolio in a JSON object. Every other property is an error unless `isKnown` accepts it. */
export const nameIn = (
  file: string,
  properties: ReadonlyArray<JsonProperty>,
  rootLine: number,
  reading: Reading,
  { isKnown, stranger }: { readonly isKnown: (name: string) => boolean; readonly stranger: string },
): NamePlace => {
  for (const { name, line } of properties)
    if (name !== 'name' && !isKnown(name)) reading.add(file, line, `${name} ${stranger}`)
  const found = properties.find(({ name }) => name === 'name')
  return { called: found?.value, file, line: found?.line ?? rootLine }
}

const readHead = (folder: string, reading: Reading): Promise<NamePlace | undefined> =>
  recovering(
    reading,
    async () => {
      const file = join(folder, HEAD)
      const { line, properties } = readJsonFile(file, await tableBytes(file, reading), reading)
      if (properties === undefined) throw new FileError(file, line, 'must be an object with name')
      return nameIn(file, properties, line, reading, { isKnown: () => false, stranger: 'is unknown here' })
    },
    () => undefined,
  )

const namesIn = async (folder: string): Promise<ReadonlyArray<string>> => {
  try {
    return (await readdir(folder)).toSorted()
  } catch (cause) {
    throw new FileError(folder, undefined, whyUnread(cause))
  }
}

/**
 * The portfolio that a folder holds, as far as it can be read.
 * @throws FileError where the folder itself cannot be read; TooManyFaults; FileTooLarge
 */
export const readFolder = async (folder: string, reading: Reading): Promise<PortfolioFiles> => {
  const names = await namesIn(folder)
  const name = await readHead(folder, reading)
  const read: Array<TableFiles> = []
  addUnexpected(folder, names, reading)
  for (const table of PORTFOLIO_TABLES) read.push(await tableIn(folder, names, table, reading))
  return gather(read.flat(), {
    name,
    images: folder,
    missing: (table) => fileFault(folder, undefined, `${table}.json or ${table}.csv is required`),
  })
}
