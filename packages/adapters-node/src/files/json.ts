import { FileError, TABLE_BOUNDS } from './reading.ts'

/** The rows of an array in a JSON file, with their lines. */
export interface JsonRows {
  readonly rows: ReadonlyArray<unknown>
  /** The line of a row's field, or of the row where that is all there is to say; from 1. */
  readonly lineOf: (row: number, field: string) => number
  readonly isWhole: boolean
}

/** A property of the object around all: its value if that is a single one, and its rows if it is an array that was asked for. */
export interface JsonProperty {
  readonly name: string
  readonly line: number
  readonly value: unknown
  readonly rows: JsonRows | undefined
}

/** A JSON file: the rows of an array, or the properties of an object. Anything else is neither. */
export interface JsonFile {
  /** The line of the value. */
  readonly line: number
  readonly rows?: JsonRows
  readonly properties?: ReadonlyArray<JsonProperty>
}

/** A row that is being read. */
export type Row = Record<string, unknown>

/** An object or array that is being read. */
export type Container =
  | {
      readonly kind: 'rows'
      readonly rows: Array<unknown>
      readonly lines: Array<ReadonlyArray<number>>
      whole: boolean
    }
  | {
      readonly kind: 'row'
      readonly value: Row
      readonly lines: Array<number>
      key: string | undefined
      bad: boolean
    }
  | { readonly kind: 'list'; readonly values: Array<unknown>; room: number }
  | {
      readonly kind: 'object'
      readonly properties: Array<{ -readonly [K in keyof JsonProperty]: JsonProperty[K] }>
    }
  | { readonly kind: 'skipped' }

/** A property whose value is being read. */
export type OpenProperty = { -readonly [K in keyof JsonProperty]: JsonProperty[K] }
/** An array of rows that is being read. */
export type Rows = Extract<Container, { kind: 'rows' }>
/** A row whose fields are being read. */
export type OpenRow = Extract<Container, { kind: 'row' }>

/** Stands for an object or array whose content does not matter. */
export const SKIPPED: Container = { kind: 'skipped' }

/** Begins an array of rows. */
export const noRows = (): Rows => ({ kind: 'rows', rows: [], lines: [], whole: true })

/** Returns the rows of an array, also while it is being read. */
export const jsonRows = (container: Rows, line: number): JsonRows => ({
  rows: container.rows,
  lineOf: (row, field) => {
    const own = container.lines[row] ?? [line]
    const at = Object.keys(container.rows[row] ?? {}).indexOf(field)
    return own[at + 1] ?? own[0] ?? line
  },
  get isWhole() {
    return container.whole
  },
})

// The texts of a JSON file, whose bytes are the characters of one long text.

/** Characters in quotes of a text that certainly has too many: one code point takes 12 at most, as two escapes. */
const LONGEST_RAW = 12 * TABLE_BOUNDS.cell + 2

/** Bytes and escapes of such a text that stay for the message about it: more than it repeats. */
const SHOWN = 160

const BEGINNING = new RegExp(String.raw`^"(?:\\u[0-9a-fA-F]{4}|\\.|[^\\"]){0,${SHOWN}}`)

/** Reads a text in quotes. The result is a copy: a part of the file's text would keep the whole text alive. */
const decoded = (raw: string): string => {
  const bytes = Buffer.from(raw, 'latin1')
  return raw.includes('\\')
    ? (JSON.parse(bytes.toString('utf8')) as string)
    : bytes.toString('utf8', 1, bytes.length - 1)
}

/** Reads a text in quotes. One that is too long in any case has its beginning, and is too long. */
export const textIn = (raw: string): string => {
  if (raw.length <= LONGEST_RAW) return decoded(raw)
  const [beginning = ''] = BEGINNING.exec(raw) ?? []
  return decoded(`${beginning}"`).padEnd(2 * TABLE_BOUNDS.cell + 1)
}

const [QUOTE, BACKSLASH, SMALL_U, LF, CR, FILLING] = [0x22, 0x5c, 0x75, 0x0a, 0x0d, 0x78]

const BLANKS = new Set([0x09, LF, CR, 0x20])

/** Returns the byte after a text in quotes, or after its line where the quotes are not closed. */
const endOfText = (bytes: Buffer, began: number): number => {
  for (let at = began + 1; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === BACKSLASH) at += 1
    else if (byte === QUOTE || byte === LF || byte === CR) return at
  }
  return bytes.length
}

/** Returns the byte after the beginning of a text that stays: no part of an escape or a character. */
const endOfShown = (bytes: Buffer, began: number): number => {
  let at = began + 1
  for (let count = 0; count < SHOWN; count += 1)
    if (bytes[at] !== BACKSLASH) at += 1
    else at += bytes[at + 1] === SMALL_U ? 6 : 2
  while (((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1
  return at
}

const endOfBlanks = (bytes: Buffer, began: number): number => {
  let end = began
  while (end < bytes.length && BLANKS.has(bytes[end] ?? 0)) end += 1
  return end
}

/** Overwrites a text that is too long in any case, behind its beginning. Returns the byte after it. */
const bluntText = (bytes: Buffer, began: number): number => {
  const end = endOfText(bytes, began)
  if (end - began > LONGEST_RAW) bytes.fill(FILLING, endOfShown(bytes, began), end)
  return end + 1
}

const lineAt = (bytes: Buffer, at: number): number => {
  let line = 1
  for (let end = bytes.indexOf(LF); end >= 0 && end < at; end = bytes.indexOf(LF, end + 1)) line += 1
  return line
}

const LONG_BLANKS = `has more than ${TABLE_BOUNDS.cell} blanks in a row from here on`

/**
 * Takes out what the parser would join piece by piece, at 30 bytes of memory a piece: overwrites texts that are too long, and refuses runs of
 * blanks that are longer than a cell may be.
 * @throws FileError
 */
export const bluntTexts = (file: string, bytes: Buffer): void => {
  for (let at = 0; at < bytes.length; ) {
    const end = endOfBlanks(bytes, at)
    if (end - at > TABLE_BOUNDS.cell) throw new FileError(file, lineAt(bytes, at), LONG_BLANKS)
    at = bytes[end] === QUOTE ? bluntText(bytes, end) : end + 1
  }
}
