import { type FileHandle, open, stat } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** The size of pages, and the bytes of each that SQLite uses. */
interface PageFormat {
  readonly pageSize: number
  readonly usable: number
}

/** Bytes of the header of a database file, before the first page's own header. */
const FILE_HEADER = 100

/** Returns the format of a file's pages from the header of the file. */
const formatIn = (header: Buffer): PageFormat => {
  const size = header.readUInt16BE(16)
  const pageSize = size === 1 ? 65_536 : size
  return { pageSize, usable: pageSize - header.readUInt8(20) }
}

/** A row, or an entry of an index, in a page: the bytes that belong to it, `end` excluded. */
interface Cell {
  readonly start: number
  readonly end: number
  /** The page in which the rest of a long one begins, and the length of that rest. */
  readonly overflow?: { readonly page: number; readonly bytes: number }
}

const INTERIOR_INDEX = 2
const INTERIOR_TABLE = 5
const LEAF_INDEX = 10
const LEAF_TABLE = 13

const isInterior = (type: number): boolean => type === INTERIOR_INDEX || type === INTERIOR_TABLE
const isTable = (type: number): boolean => type === INTERIOR_TABLE || type === LEAF_TABLE

/** Bytes of the number of a page, with which each page of the rest of a long row begins. */
const PAGE_NUMBER = 4

/** Reads an integer of SQLite's variable length, and where it ends. Lengths and numbers of rows beyond 2^53 do not occur. */
const readVarint = (page: Buffer, start: number): readonly [value: number, end: number] => {
  let value = 0
  for (let at = start; at < start + 8; at += 1) {
    const byte = page.readUInt8(at)
    value = value * 128 + (byte & 127)
    if (byte < 128) return [value, at + 1]
  }
  return [value * 256 + page.readUInt8(start + 8), start + 9]
}

/** Returns how much of a payload is in the page itself (file format of SQLite, 1.6). */
const localBytes = (payload: number, type: number, { usable }: PageFormat): number => {
  const most = isTable(type) ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23
  if (payload <= most) return payload
  const least = Math.floor(((usable - 12) * 32) / 255) - 23
  const fitting = least + ((payload - least) % (usable - PAGE_NUMBER))
  return fitting <= most ? fitting : least
}

const readCell = (page: Buffer, start: number, type: number, format: PageFormat): Cell => {
  const content = isInterior(type) ? start + PAGE_NUMBER : start
  const [first, afterFirst] = readVarint(page, content)
  if (type === INTERIOR_TABLE) return { start, end: afterFirst }
  const from = type === LEAF_TABLE ? readVarint(page, afterFirst)[1] : afterFirst
  const local = localBytes(first, type, format)
  const end = from + local
  if (local === first) return { start, end }
  return { start, end, overflow: { page: page.readUInt32BE(end), bytes: first - local } }
}

/**
 * Returns the cells of a page of a table or an index; undefined for a page of another kind. Bytes outside of the cells hold nothing that is
 * stored, but may hold copies of what was moved or deleted. A page that is torn, or no page at all, gives none of its cells.
 */
const cellsIn = (page: Buffer, isFirst: boolean, format: PageFormat): ReadonlyArray<Cell> | undefined => {
  const header = isFirst ? FILE_HEADER : 0
  const type = page.readUInt8(header)
  if (![INTERIOR_INDEX, INTERIOR_TABLE, LEAF_INDEX, LEAF_TABLE].includes(type)) return undefined
  const pointers = header + (isInterior(type) ? 12 : 8)
  try {
    return Array.from({ length: page.readUInt16BE(header + 3) }, (_, n) =>
      readCell(page, page.readUInt16BE(pointers + 2 * n), type, format),
    )
  } catch (cause) {
    if (cause instanceof RangeError) return []
    throw cause
  }
}

/** A database file that is open. */
interface OpenFile {
  readonly handle: FileHandle
  readonly format: PageFormat
}

const readPage = async ({ handle, format: { pageSize } }: OpenFile, page: number): Promise<Buffer> => {
  const bytes = Buffer.alloc(pageSize)
  await handle.read(bytes, 0, pageSize, (page - 1) * pageSize)
  return bytes
}

/** Returns the numbers of the pages that hold nothing, as the list in the header of the file says. */
const freePages = async (file: OpenFile): Promise<ReadonlySet<number>> => {
  const free = new Set<number>()
  let trunk = (await readPage(file, 1)).readUInt32BE(32)
  while (trunk !== 0 && !free.has(trunk)) {
    free.add(trunk)
    const list = await readPage(file, trunk)
    const count = Math.min(list.readUInt32BE(4), file.format.usable / 4 - 2)
    for (let n = 0; n < count; n += 1) free.add(list.readUInt32BE(8 + 4 * n))
    trunk = list.readUInt32BE(0)
  }
  return free
}

/** Reads where long rows go on: the rest of each, and the page after each page of a rest. */
const readRests = async (file: OpenFile) => {
  const { size } = await file.handle.stat()
  const rests: Array<NonNullable<Cell['overflow']>> = []
  const next = new Map<number, number>()
  for (let page = 1; page * file.format.pageSize <= size; page += 1) {
    const bytes = await readPage(file, page)
    const cells = cellsIn(bytes, page === 1, file.format)
    if (cells === undefined) next.set(page, bytes.readUInt32BE(0))
    else rests.push(...cells.flatMap(({ overflow }) => overflow ?? []))
  }
  return { rests, next }
}

/** Returns where the last page of each long row ends to hold the row, by page. Reads the whole file. */
const endsOfRests = async (file: OpenFile): Promise<ReadonlyMap<number, number>> => {
  const { rests, next } = await readRests(file)
  const room = file.format.usable - PAGE_NUMBER
  const ends = new Map<number, number>()
  for (let { page, bytes } of rests) {
    for (; bytes > room; bytes -= room) page = next.get(page) ?? 0
    ends.set(page, PAGE_NUMBER + bytes)
  }
  return ends
}

/** Bytes of a file that are searched at a time, and texts that are looked for before other work runs: some milliseconds. */
const CHUNK = 1024 * 1024
const TEXTS = 8

/** A longer text is stored in several pages, of which the first holds at least this number of bytes of it. */
const LONGEST = 256

/** Bytes before the frames of a log, and before the page in each frame. */
const LOG_HEADER = 32
const FRAME_HEADER = 24

/** Texts outside of rows that are looked at one by one; with more, the file is rewritten anyway. */
const MOST = 1000

/** Returns the texts as bytes in which they may remain: as they are, and as in JSON. */
const needlesOf = (texts: ReadonlyArray<string>): ReadonlyArray<Buffer> => {
  const forms = new Set(texts.flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]))
  return [...forms].map((text) => Buffer.from(text).subarray(0, LONGEST))
}

/** A text in a page. */
interface Hit {
  readonly page: number
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
}

/** Where the pages of a file are. */
interface Layout {
  /** The bytes before the first page, and before each page. */
  readonly before: number
  readonly beforeEach: number
  readonly pageSize: number
  /** Returns the number of the n-th page in the database. */
  readonly numberOf: (page: Buffer, n: number) => number
}

function* placesOf(needle: Buffer, bytes: Buffer): Generator<number> {
  for (let at = bytes.indexOf(needle); at !== -1; at = bytes.indexOf(needle, at + 1)) yield at
}

/** Yields the texts in the pages of a file. The bytes of a page are valid until the next text is asked for. */
async function* findTexts(
  handle: FileHandle,
  { before, beforeEach, pageSize, numberOf }: Layout,
  needles: ReadonlyArray<Buffer>,
): AsyncGenerator<Hit> {
  const unit = beforeEach + pageSize
  const buffer = Buffer.alloc(unit * Math.max(1, Math.floor(CHUNK / unit)))
  for (let first = 0; ; first += buffer.length / unit) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, before + first * unit)
    const chunk = buffer.subarray(0, bytesRead)
    for (const [n, needle] of needles.entries()) {
      if (n % TEXTS === TEXTS - 1) await nextTurn()
      for (const at of placesOf(needle, chunk)) {
        const index = Math.floor(at / unit)
        const bytes = chunk.subarray(index * unit, (index + 1) * unit)
        const start = at - index * unit - beforeEach
        const page = numberOf(bytes, first + index)
        yield { page, bytes: bytes.subarray(beforeEach), start, end: start + needle.length }
      }
    }
    if (bytesRead < buffer.length) return
  }
}

const isIn = ({ start, end }: Hit, { start: from, end: to }: Cell): boolean => from <= start && end <= to

/** Yields the texts in a database file, each with the cells of its page; without cells for a page of the rest of a long row. */
async function* textsInFile(
  file: OpenFile,
  needles: ReadonlyArray<Buffer>,
): AsyncGenerator<readonly [Hit, ReadonlyArray<Cell> | undefined]> {
  const { pageSize } = file.format
  const layout = { before: 0, beforeEach: 0, pageSize, numberOf: (_: Buffer, n: number) => n + 1 }
  const free = await freePages(file)
  for await (const hit of findTexts(file.handle, layout, needles))
    yield [hit, free.has(hit.page) ? [] : cellsIn(hit.bytes, hit.page === 1, file.format)]
}

/** Whether the row goes on in another page, so that all of this one holds it. */
const goesOn = ({ bytes }: Hit): boolean => bytes.readUInt32BE(0) !== 0

/** Returns the texts of a database file outside of its rows. */
const searchFile = async (file: OpenFile, needles: ReadonlyArray<Buffer>): Promise<ReadonlyArray<Hit>> => {
  const found: Array<Hit & { readonly isRest: boolean }> = []
  for await (const [hit, cells] of textsInFile(file, needles)) {
    const isStored = cells === undefined ? goesOn(hit) : cells.some((cell) => isIn(hit, cell))
    if (isStored) continue
    found.push({ ...hit, bytes: Buffer.from(hit.bytes), isRest: cells === undefined })
    if (found.length > MOST) return found
  }
  const ends = found.some(({ isRest }) => isRest) ? await endsOfRests(file) : new Map<number, number>()
  return found.filter(({ isRest, page, end }) => !isRest || end > (ends.get(page) ?? 0))
}

/** As {@link searchFile}, for a write-ahead log: its frames are pages as they were after one of the latest writes. */
const searchLog = async (handle: FileHandle, needles: ReadonlyArray<Buffer>): Promise<ReadonlyArray<Hit>> => {
  const header = Buffer.alloc(LOG_HEADER)
  const { bytesRead } = await handle.read(header, 0, LOG_HEADER, 0)
  if (bytesRead < LOG_HEADER) return []
  const pageSize = header.readUInt32BE(8)
  const numberOf = (frame: Buffer) => frame.readUInt32BE(0)
  const layout = { before: LOG_HEADER, beforeEach: FRAME_HEADER, pageSize, numberOf }
  const found: Array<Hit> = []
  for await (const hit of findTexts(handle, layout, needles)) {
    const cells = cellsIn(hit.bytes, hit.page === 1, { pageSize, usable: pageSize }) ?? []
    if (!cells.some((cell) => isIn(hit, cell))) found.push({ ...hit, bytes: Buffer.from(hit.bytes) })
    if (found.length > MOST) break
  }
  return found
}

/** Returns whether bytes before a text, and the text, are those with which a row begins. */
const isCopyOf = ({ bytes, end }: Hit, rowUpToText: Buffer): boolean =>
  bytes.subarray(Math.max(0, end - rowUpToText.length), end).equals(rowUpToText)

/** Returns the texts that are in no copy of a row of the file: SQLite leaves copies when it moves rows. */
const withoutCopies = async (
  file: OpenFile,
  needles: ReadonlyArray<Buffer>,
  found: ReadonlyArray<Hit>,
): Promise<ReadonlyArray<Hit>> => {
  let left = found
  for await (const [hit, cells] of textsInFile(file, needles)) {
    const cell = cells?.find((one) => isIn(hit, one))
    if (cell !== undefined)
      left = left.filter((one) => !isCopyOf(one, hit.bytes.subarray(cell.start, hit.end)))
    if (left.length === 0) break
  }
  return left
}

/** Opens a log for the work, and closes it. Returns undefined without work if there is none. */
const withLog = async <A>(path: string, work: (handle: FileHandle) => Promise<A>): Promise<A | undefined> => {
  const handle = await open(path, 'r').catch(() => undefined)
  try {
    return handle && (await work(handle))
  } finally {
    await handle?.close()
  }
}

/** Handles of database files, by device and inode. */
const handles = new Map<string, Promise<FileHandle>>()

/**
 * Opens a database file once and never closes it: closing any handle of a file ends all locks that this process has on it, also those of SQLite.
 * Another process would then take the database for unused, and delete its log (https://www.sqlite.org/howtocorrupt.html, 2.2).
 */
const databaseHandle = async (path: string): Promise<FileHandle | undefined> => {
  const file = await stat(path, { bigint: true }).catch(() => undefined)
  if (file === undefined) return undefined
  const key = `${file.dev}:${file.ino}`
  const handle = handles.get(key) ?? open(path, 'r')
  handles.set(key, handle)
  handle.catch(() => handles.delete(key))
  return handle
}

const isEmpty = async (handle: FileHandle): Promise<boolean> => (await handle.stat()).size < FILE_HEADER

const openedFile = async (handle: FileHandle): Promise<OpenFile> => {
  const header = Buffer.alloc(FILE_HEADER)
  await handle.read(header, 0, FILE_HEADER, 0)
  return { handle, format: formatIn(header) }
}

/**
 * Returns whether a database file or its log holds one of some texts outside of the rows that are stored (L1). What a row holds is no remain,
 * whether it is the text or contains it: the transaction of the erasure has deleted the rows of the person, and rewriting the file keeps all
 * others. Copies of the beginning of a stored row are none either.
 */
export const hasRemains = async (
  { file, log }: { readonly file: string; readonly log: string },
  texts: ReadonlyArray<string>,
): Promise<boolean> => {
  const needles = needlesOf(texts)
  const inLog = (await withLog(log, (handle) => searchLog(handle, needles))) ?? []
  const handle = await databaseHandle(file)
  if (handle === undefined || (await isEmpty(handle))) return inLog.length > 0
  const opened = await openedFile(handle)
  const found = [...inLog, ...(await searchFile(opened, needles))]
  if (found.length === 0 || found.length > MOST) return found.length > 0
  return (await withoutCopies(opened, needles, found)).length > 0
}
