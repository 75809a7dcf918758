import { isUtf8 } from 'node:buffer'
import { join } from 'node:path'
import { columnsOf, PORTFOLIO_TABLES, type PortfolioTable, ROWS, shownValue } from '@almoner/domain/portfolio'
import * as E from 'fp-ts/lib/Either.js'
import { type Columns, csvTable, firstRows } from './csv.ts'
import type { JsonProperty } from './json.ts'
import { readJsonFile } from './json-rows.ts'
import { readBytes } from './list-files.ts'
import {
  gather,
  HEAD,
  type NamedFiles,
  type NamePlace,
  notRecognised,
  type PortfolioFiles,
  sameName,
  type TableFile,
  type TableFiles,
  unreadTable,
} from './names.ts'
import { FileError, FileTooLarge, moreThan, type Reading, TABLE_BOUNDS } from './reading.ts'

// The encodings of tables: UTF-8, and UTF-16 as Excel writes "Unicode text". Everything else is refused with its place.

/** Byte order marks. */
const [UTF_8, UTF_16_LE, UTF_16_BE] = [
  Buffer.from([0xef, 0xbb, 0xbf]),
  Buffer.from([0xff, 0xfe]),
  Buffer.from([0xfe, 0xff]),
]

/** The first bytes of zip archives, which new spreadsheets are, and of old spreadsheets. */
const NO_TEXT = [Buffer.from('PK\u0003\u0004'), Buffer.from([0xd0, 0xcf, 0x11, 0xe0])]

const startsWith = (bytes: Buffer, mark: Buffer): boolean => bytes.subarray(0, mark.length).equals(mark)

/** Returns the bytes of a text in UTF-16 in the order of Intel's processors, without a mark; undefined if it is in another encoding. */
const utf16Of = (bytes: Buffer): Buffer | undefined => {
  const isEven = bytes.length % 2 === 0
  if (startsWith(bytes, UTF_16_LE)) return bytes.subarray(2)
  if (startsWith(bytes, UTF_16_BE))
    return isEven ? Buffer.from(bytes.subarray(2)).swap16() : bytes.subarray(2)
  const [first, second] = bytes
  if (bytes.length < 4 || !isEven) return undefined
  if (first !== 0 && second === 0) return bytes
  return first === 0 && second !== 0 ? Buffer.from(bytes).swap16() : undefined
}

const [LF, CR] = [0x0a, 0x0d]

/** Returns where the first line begins that is not UTF-8, where it ends, and its number. */
const badLine = (bytes: Buffer): { readonly from: number; readonly to: number; readonly line: number } => {
  let [from, line] = [0, 1]
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte !== LF && byte !== CR) continue
    if (!isUtf8(bytes.subarray(from, at))) return { from, to: at, line }
    if (byte === LF || bytes[at + 1] !== LF) line += 1
    from = at + 1
  }
  return { from, to: bytes.length, line }
}

const isJson = (bytes: Buffer): boolean => /^\s*[[{]/.test(bytes.toString('latin1', 0, 100))

/** Returns the property of JSON whose value is the first that is not UTF-8, and the value, read as Latin-1. */
const badProperty = (line: string): readonly [column: string, value: string] => {
  for (const [, column = '', value = ''] of line.matchAll(/"([^"]*)"\s*:\s*"([^"]*)/g))
    if (!isUtf8(Buffer.from(value, 'latin1'))) return [column, value]
  return ['', line.slice(Math.max(0, line.search(/[\x80-\xff]/) - 10))]
}

/** Returns the column of CSV whose value is the first that is not UTF-8, and the value, read as Latin-1. */
const badCell = (bytes: Buffer, end: number, line: string): readonly [column: string, value: string] => {
  const { head, last } = firstRows(bytes.subarray(0, end))
  for (const [at, value = ''] of last.entries())
    if (!isUtf8(Buffer.from(value, 'latin1'))) return [head === last ? '' : (head[at] ?? ''), value]
  return ['', line.slice(Math.max(0, line.search(/[\x80-\xff]/) - 10))]
}

/** Bytes of a line that are looked at for its column: more than a row of the longest cells that people write. */
const LOOKED_AT = 1024 * 1024

const notUtf8 = (file: string, bytes: Buffer): FileError => {
  const { from, to, line } = badLine(bytes)
  const text = bytes.toString('latin1', from, Math.min(to, from + LOOKED_AT))
  const [column, value] = isJson(bytes) ? badProperty(text) : badCell(bytes, to, text)
  const kind = isJson(bytes) ? 'in UTF-8' : 'as "CSV UTF-8"'
  const where = column === '' ? '' : `${column} `
  return new FileError(
    file,
    line,
    `${where}"${shownValue(value) ?? ''}" is not in UTF-8: save the file ${kind}`,
  )
}

/**
 * Returns a text of a table in UTF-8 without its byte order mark.
 * @throws FileError where it is in another encoding than UTF-8 and UTF-16
 */
const utf8Of = (file: string, bytes: Buffer): Buffer => {
  if (NO_TEXT.some((mark) => startsWith(bytes, mark)))
    throw new FileError(file, undefined, 'is a workbook or an archive: save it as "CSV UTF-8"')
  const utf16 = utf16Of(bytes)
  if (utf16 !== undefined) {
    const text = utf16.toString('utf16le')
    if (utf16.length % 2 === 0 && text.isWellFormed()) return Buffer.from(text)
    throw new FileError(file, undefined, 'is damaged text in UTF-16: save it again')
  }
  if (!isUtf8(bytes)) throw notUtf8(file, bytes)
  return startsWith(bytes, UTF_8) ? bytes.subarray(UTF_8.length) : bytes
}

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
