import type { FileHandle } from 'node:fs/promises'

/** The size of pages, and the bytes of each that SQLite uses. */
export interface PageFormat {
  readonly pageSize: number
  readonly usable: number
}

/** Bytes of the header of a database file, before the first page's own header. */
export const FILE_HEADER = 100

/** Returns the format of a file's pages from the header of the file. */
export const formatIn = (header: Buffer): PageFormat => {
  const size = header.readUInt16BE(16)
  const pageSize = size === 1 ? 65_536 : size
  return { pageSize, usable: pageSize - header.readUInt8(20) }
}

/** A row, or an entry of an index, in a page: the bytes that belong to it, `end` excluded. */
export interface Cell {
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
export const cellsIn = (
  page: Buffer,
  isFirst: boolean,
  format: PageFormat,
): ReadonlyArray<Cell> | undefined => {
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
export interface OpenFile {
  readonly handle: FileHandle
  readonly format: PageFormat
}

const readPage = async ({ handle, format: { pageSize } }: OpenFile, page: number): Promise<Buffer> => {
  const bytes = Buffer.alloc(pageSize)
  await handle.read(bytes, 0, pageSize, (page - 1) * pageSize)
  return bytes
}

/** Returns the numbers of the pages that hold nothing, as the list in the header of the file says. */
export const freePages = async (file: OpenFile): Promise<ReadonlySet<number>> => {
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
export const endsOfRests = async (file: OpenFile): Promise<ReadonlyMap<number, number>> => {
  const { rests, next } = await readRests(file)
  const room = file.format.usable - PAGE_NUMBER
  const ends = new Map<number, number>()
  for (let { page, bytes } of rests) {
    for (; bytes > room; bytes -= room) page = next.get(page) ?? 0
    ends.set(page, PAGE_NUMBER + bytes)
  }
  return ends
}
