import { cellSentence, shownValue } from '@almoner/domain/portfolio'
import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser'
import { FileError } from './file-fault.ts'
import {
  type Container,
  type JsonFile,
  jsonRows,
  noRows,
  type OpenProperty,
  type OpenRow,
  type Row,
  type Rows,
  SKIPPED,
} from './json-containers.ts'
import { bluntTexts, textIn } from './json-texts.ts'
import { isTooLong, type Reading, TABLE_BOUNDS, TOO_LONG, TOO_MANY_ROWS, trimmed } from './reading.ts'

const wordsOf = (error: ParseErrorCode): string =>
  printParseErrorCode(error)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()

/** Bytes that are looked at for the text at which a file is no JSON. */
const SHOWN = 200

const isLongText = (value: unknown): boolean => typeof value === 'string' && isTooLong(value)

class JsonReader {
  readonly #file: string
  readonly #text: string
  readonly #reading: Reading
  readonly #hasRows: (name: string) => boolean
  readonly #stack: Array<Container> = []
  #root: Container | undefined
  #line = 1

  constructor(file: string, text: string, reading: Reading, hasRows: (name: string) => boolean) {
    this.#file = file
    this.#text = text
    this.#reading = reading
    this.#hasRows = hasRows
  }

  read(): JsonFile {
    visit(
      this.#text,
      {
        onObjectBegin: (_offset, _length, line) => this.#open('object', line + 1),
        onArrayBegin: (_offset, _length, line) => this.#open('array', line + 1),
        onObjectEnd: () => this.#close(),
        onArrayEnd: () => this.#close(),
        onObjectProperty: (_name, offset, length, line) => this.#name(this.#string(offset, length), line + 1),
        onLiteralValue: (value: unknown, offset, length, line) =>
          this.#put(typeof value === 'string' ? this.#string(offset, length) : value, line + 1),
        onError: (error, offset, _length, line) => {
          const rest = this.#text.slice(offset, offset + SHOWN).trim()
          const found = shownValue(Buffer.from(rest, 'latin1').toString())
          const place = found === undefined ? 'its end' : `"${found}"`
          throw new FileError(this.#file, line + 1, `is no JSON from ${place} on: ${wordsOf(error)}`)
        },
      },
      { disallowComments: true },
    )
    const root = this.#root
    if (root?.kind === 'rows') return { line: this.#line, rows: jsonRows(root, this.#line) }
    return { line: this.#line, ...(root?.kind === 'object' && { properties: root.properties }) }
  }

  #string(offset: number, length: number): string {
    return textIn(this.#text.slice(offset, offset + length))
  }

  #add(line: number, text: string): void {
    this.#reading.add(this.#file, line, text)
  }

  #open(kind: 'object' | 'array', line: number): void {
    const { depth } = TABLE_BOUNDS
    if (this.#stack.length >= depth)
      throw new FileError(this.#file, line, `is more than ${depth} deep from here on`)
    const container = this.#container(kind, line)
    if (this.#stack.length === 0) {
      this.#root = container
      this.#line = line
    }
    this.#stack.push(container)
  }

  #container(kind: 'object' | 'array', line: number): Container {
    const parent = this.#stack.at(-1)
    switch (parent?.kind) {
      case undefined:
        return kind === 'array' ? noRows() : { kind: 'object', properties: [] }
      case 'rows':
        if (kind === 'object')
          return { kind: 'row', value: Object.create(null) as Row, lines: [line], key: undefined, bad: false }
        this.#row(parent, [], [line])
        return SKIPPED
      case 'row':
        return kind === 'object' ? this.#skip({}, line) : this.#list(line)
      case 'object':
        return this.#inObject(parent.properties.at(-1), kind, line)
      case 'list':
        return this.#skip({}, line)
      default:
        return SKIPPED
    }
  }

  #list(line: number): Container {
    const list: Container = { kind: 'list', values: [], room: TABLE_BOUNDS.cell }
    this.#put(list.values, line)
    return list
  }

  #inObject(property: OpenProperty | undefined, kind: 'object' | 'array', line: number): Container {
    if (property === undefined || kind === 'object' || !this.#hasRows(property.name))
      return this.#skip(kind === 'object' ? {} : [], line)
    const rows = noRows()
    property.rows = jsonRows(rows, line)
    return rows
  }

  /** Puts a value in place of an object or array whose content does not matter. */
  #skip(value: unknown, line: number): Container {
    this.#put(value, line)
    return SKIPPED
  }

  #close(): void {
    const container = this.#stack.pop()
    const parent = this.#stack.at(-1)
    if (container?.kind !== 'row' || parent?.kind !== 'rows') return
    if (container.bad) parent.whole = false
    else this.#row(parent, container.value, container.lines)
  }

  #row({ rows, lines }: Rows, value: unknown, at: ReadonlyArray<number>): void {
    if (rows.length >= TABLE_BOUNDS.rows) throw new FileError(this.#file, at[0], TOO_MANY_ROWS)
    this.#reading.hold(this.#file, '')
    rows.push(value)
    lines.push(at.every((line) => line === at[0]) ? at.slice(0, 1) : at)
  }

  #name(name: string, line: number): void {
    const container = this.#stack.at(-1)
    if (container?.kind === 'row') this.#field(container, name, line)
    if (container?.kind !== 'object') return
    if (container.properties.some((property) => property.name === name))
      this.#add(line, `${name} is given twice: keep one`)
    container.properties.push({ name, line, value: undefined, rows: undefined })
    if (container.properties.length > TABLE_BOUNDS.fields)
      throw new FileError(this.#file, line, TOO_MANY_FIELDS)
  }

  #field(row: OpenRow, name: string, line: number): void {
    row.key = name
    if (row.lines.length > TABLE_BOUNDS.fields || name.length > TABLE_BOUNDS.cell) {
      if (!row.bad) this.#add(line, TOO_MANY_FIELDS)
      row.bad = true
      row.key = undefined
    } else if (Object.hasOwn(row.value, name)) this.#add(line, `${name} is given twice: keep one`)
    else {
      row.value[name] = undefined
      row.lines.push(line)
    }
  }

  #put(value: unknown, line: number): void {
    const container = this.#stack.at(-1)
    switch (container?.kind) {
      case undefined:
        this.#line = line
        break
      case 'rows':
        this.#row(container, value, [line])
        break
      case 'row':
        this.#cell(container, value, line)
        break
      case 'list':
        this.#element(container, value, line)
        break
      case 'object': {
        const property = container.properties.at(-1)
        if (property !== undefined) property.value = isLongText(value) ? {} : value
        break
      }
      default:
    }
  }

  #element(list: Extract<Container, { kind: 'list' }>, value: unknown, line: number): void {
    const text = typeof value === 'string' ? value : ''
    list.room -= text.length + 1
    if (list.room < 0) this.#tooLong(line)
    else {
      this.#reading.hold(this.#file, text)
      list.values.push(typeof value === 'string' ? trimmed(value) : value)
    }
  }

  #cell(row: OpenRow, value: unknown, line: number): void {
    if (row.key === undefined) return
    if (isLongText(value)) {
      row.bad = true
      this.#add(line, cellSentence(row.key, shownValue(value), TOO_LONG))
      return
    }
    const meant = typeof value === 'string' ? trimmed(value) : value
    this.#reading.hold(this.#file, typeof meant === 'string' ? meant : '')
    row.value[row.key] = meant
  }

  #tooLong(line: number): void {
    const row = this.#stack.at(-2)
    if (row?.kind !== 'row' || row.bad) return
    row.bad = true
    this.#add(line, `${row.key ?? ''} ${TOO_LONG}`)
  }
}

const TOO_MANY_FIELDS = `has more than ${TABLE_BOUNDS.fields} fields, or one with too long a name`

/**
 * Reads a JSON file as RFC 8259 defines it, without comments, as tables need it: rows with single values and lists of them. What lies deeper is
 * passed over, so that neither depth nor number of values costs memory (H4). Adds repeated names and cells that are too long to the errors of
 * the reading. Overwrites such cells in `bytes`, and frees the space of the reading.
 * @param hasRows which properties of an object around all are arrays of rows
 * @throws FileError where the file is no JSON, too deep, or has too many rows; TooManyFaults; FileTooLarge
 */
export const readJsonFile = (
  file: string,
  bytes: Buffer,
  reading: Reading,
  hasRows: (name: string) => boolean = () => false,
): JsonFile =>
  reading.whole(() => {
    bluntTexts(file, bytes)
    const text = bytes.toString('latin1')
    // The text takes as much again, and the rows come on top.
    reading.freeSpace()
    return new JsonReader(file, text, reading, hasRows).read()
  })
