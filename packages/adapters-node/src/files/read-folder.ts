import { join } from 'node:path'
import { columnsOf, PORTFOLIO_TABLES, type PortfolioTable, ROWS, shownValue } from '@almoner/domain/portfolio'
import * as E from 'fp-ts/lib/Either.js'
import { type Columns, csvTable } from './csv-table.ts'
import { utf8Of } from './encoding.ts'
import { FileError } from './file-fault.ts'
import { HEAD, type NamedFiles, notRecognised, sameName } from './file-names.ts'
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
import { readBytes } from './read-file.ts'
import { FileTooLarge, moreThan, type Reading, TABLE_BOUNDS } from './reading.ts'

/** Reads the bytes of a table, which stay until the next one is read. @throws FileError, FileTooLarge */
export const tableBytes = async (file: string, reading: Reading): Promise<Buffer> => {
  reading.begin(file)
  const bytes = await readBytes(file, TABLE_BOUNDS.bytes, reading.spaceOf)
  if (E.isRight(bytes)) return utf8Of(file, bytes.right)
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

const readTable = (file: string, table: PortfolioTable, reading: Reading): Promise<TableFile> =>
  recovering(
    reading,
    async () => {
      const bytes = await tableBytes(file, reading)
      if (/csv$/i.test(file)) return csvTable(file, bytes, columnsIn(table), reading)
      const { rows, line } = readJsonFile(file, bytes, reading)
      if (rows === undefined) throw new FileError(file, line, 'must be an array of rows')
      return { file, ...rows, isWhole: rows.isWhole, lacking: [] }
    },
    () => unreadTable(file),
  )

const tableIn = async (
  folder: string,
  files: NamedFiles,
  table: PortfolioTable,
  reading: Reading,
): Promise<TableFiles> => {
  const [json, csv] = [files.find('', `${table}.json`), files.find('', `${table}.csv`)]
  if (json !== undefined && csv !== undefined) {
    const file = join(folder, csv)
    reading.add(file, undefined, `stands beside ${json}: keep one of the two`)
    return [[table, unreadTable(file)]]
  }
  const file = json ?? csv
  if (file === undefined) return []
  // Which of two is meant is not known.
  if (files.alike.flat().includes(file)) return [[table, unreadTable(join(folder, file))]]
  return [[table, await readTable(join(folder, file), table, reading)]]
}

/** A file that is misspelt must not pass for one that is left out (H5). */
const addUnexpected = (folder: string, { alike, others }: NamedFiles, reading: Reading): void => {
  for (const [first, other] of alike) reading.add(join(folder, other), undefined, sameName(first))
  for (const path of others) reading.add(join(folder, path), undefined, notRecognised(path))
}

/** Returns the name of a portfolio in a JSON object. Every other property is an error unless `isKnown` accepts it. */
export const nameIn = (
  file: string,
  properties: ReadonlyArray<JsonProperty>,
  rootLine: number,
  reading: Reading,
  {
    isKnown,
    stranger,
  }: { readonly isKnown: (name: string) => boolean; readonly stranger: (name: string) => string },
): NamePlace => {
  for (const { name, line } of properties)
    if (name !== 'name' && !isKnown(name))
      reading.add(file, line, `${shownValue(name) ?? '""'} ${stranger(name)}`)
  const found = properties.find(({ name }) => name === 'name')
  return { called: found?.value, file, line: found?.line ?? rootLine }
}

const readHead = (folder: string, files: NamedFiles, reading: Reading): Promise<NamePlace | undefined> =>
  recovering(
    reading,
    async () => {
      const found = files.find('', HEAD)
      const file = join(folder, found ?? HEAD)
      if (found === undefined) return { called: undefined, file, line: undefined }
      const { line, properties } = readJsonFile(file, await tableBytes(file, reading), reading)
      if (properties === undefined) throw new FileError(file, line, 'must be an object with name')
      const name = nameIn(file, properties, line, reading, {
        isKnown: () => false,
        stranger: () => 'is unknown here: the one name that is known is name',
      })
      return { ...name, called: name.called ?? null }
    },
    () => undefined,
  )

/**
 * The portfolio that a folder holds, as far as it can be read.
 * @throws TooManyFaults; FileTooLarge
 */
export const readFolder = async (
  folder: string,
  files: NamedFiles,
  reading: Reading,
): Promise<PortfolioFiles> => {
  const name = await readHead(folder, files, reading)
  const read: Array<TableFiles> = []
  addUnexpected(folder, files, reading)
  for (const table of PORTFOLIO_TABLES) read.push(await tableIn(folder, files, table, reading))
  return gather(read.flat(), name)
}
