import { isUtf8 } from 'node:buffer'
import { shownValue } from '@almoner/domain/portfolio'
import { firstRows } from './csv.ts'
import { FileError } from './file-fault.ts'

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
export const utf8Of = (file: string, bytes: Buffer): Buffer => {
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
