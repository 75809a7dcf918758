import { type FileHandle, open, stat } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Cell, cellsIn, endsOfRests, FILE_HEADER, formatIn, freePages, type OpenFile } from './pages.ts'

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
