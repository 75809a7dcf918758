import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { type FileHandle, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type ImageFile, imageFileOf, imageFilePath } from '@almoner/domain/ports'
import { isRefusedCall } from '@almoner/domain/values'
import { extract as makeExtract, pack as makePack, type Pack } from 'tar-stream'
import { ArchiveError, messageOf } from './errors.ts'

/** The version of the format that is written, and the only one that is read. */
export const VERSION = 1

/** The names of an archive's entries: first the manifest, at last the end; lists of digests between the others. */
export const MANIFEST = 'manifest.json'
/** The entry with the database of a backup. */
export const DATABASE = 'database.sqlite'
/** The last entry of an archive. */
export const END = 'end.json'
/** Lists the images that rows show and that were missing when the archive was written; absent when there are none. */
export const MISSING = 'missing.json'

const numbered = (n: number): string => String(n).padStart(6, '0')

/** The name of the n-th part of a table's rows, from 1. */
export const rowsName = (table: string, n: number): string => `rows/${table}-${numbered(n)}.ndjson`

/** Returns the table and the number of a part of its rows; undefined when a name is none of a part. */
export const rowsOfName = (name: string): { readonly table: string; readonly part: number } | undefined => {
  const [, table, part] = /^rows\/(\w+)-(\d{6,})\.ndjson$/.exec(name) ?? []
  return table === undefined ? undefined : { table, part: Number(part) }
}

const IMAGES = 'images/'

/** The name of an image's entry. */
export const imageName = (file: ImageFile): string => `${IMAGES}${imageFilePath(file)}`

/** Returns the image of an entry; undefined when it is none. */
export const imageOfName = (name: string): ImageFile | undefined => {
  if (!name.startsWith(IMAGES)) return undefined
  const parts = name.slice(IMAGES.length).split('/')
  const [file = '', kind = 'upload', portfolio] = parts.reverse()
  if (parts.length === 1) return imageFileOf('upload', file)
  return parts.length === 3 && portfolio === 'portfolio' ? imageFileOf(kind, file) : undefined
}

/** The number of entries whose digests one list holds. */
export const LIST_SIZE = 1000

/** The name of the n-th list of digests, from 1. */
export const digestsName = (n: number): string => `digests/${numbered(n)}.sha256`

/** A line of such a list, as `sha256sum --check` reads it. */
export const digestLine = (digest: string, name: string): string => `${digest}  ${name}\n`

/** The content of the last entry: the number of the others but the lists, and the digest of all lists. */
export const endBytes = (entries: number, digests: string): Buffer =>
  Buffer.from(`${JSON.stringify({ entries, digests })}\n`)

/** Bytes read at a time. */
const PART = 256 * 1024

/** The greatest size of an entry that is read as a whole: far more than is ever written. */
const LARGEST = 64 * 1024 * 1024

/** The error of an archive that ends too early. */
export const TORN = 'ends too early: it is not whole'

/** An entry of an archive, to be read before the next one is asked for. */
export interface Entry {
  readonly name: string
  readonly size: number
  /** Where it begins in the archive. */
  readonly at: number
  /** Its content, once. */
  readonly parts: AsyncIterable<Buffer>
}

/** An archive that is open for reading, any number of times. */
export interface Archive {
  readonly file: string
  readonly size: number
  /** Its entries in order; throws {@link ArchiveError} where it is no archive. */
  entries(): AsyncGenerator<Entry, void>
}

/** Reads the content of an entry that fits into memory. */
export const bytesOf = ({ name, size, parts }: Entry): Promise<Buffer> => {
  if (size > LARGEST) throw new ArchiveError(`holds ${name}, which is larger than any that was ever written`)
  return buffer(parts)
}

const tarError = (cause: unknown, last: string | undefined): unknown => {
  if (!(cause instanceof Error) || 'code' in cause) return cause
  if (cause.message === 'Unexpected end of data') return new ArchiveError(TORN)
  return new ArchiveError(last === undefined ? 'is no archive of Almoner' : `is broken behind ${last}`)
}

async function* partsOf(entry: AsyncIterable<unknown>, name: string): AsyncGenerator<Buffer, void> {
  try {
    yield* entry as AsyncIterable<Buffer>
  } catch (cause) {
    throw tarError(cause, name)
  }
}

async function* entriesOf(handle: FileHandle): AsyncGenerator<Entry, void> {
  const extract = makeExtract()
  const file = handle.createReadStream({ start: 0, autoClose: false, highWaterMark: PART })
  // Its errors end the loop below.
  pipeline(file, extract as unknown as NodeJS.WritableStream).catch(() => {})
  let last: string | undefined
  try {
    for await (const entry of extract) {
      const { name, size } = entry.header
      yield { name, size, at: entry.offset, parts: partsOf(entry, name) }
      entry.resume()
      last = name
    }
  } catch (cause) {
    throw tarError(cause, last)
  }
}

const opened = async (file: string): Promise<FileHandle> => {
  try {
    return await open(file, 'r')
  } catch (cause) {
    const isThere = existsSync(file)
    throw new ArchiveError(isThere ? `cannot be read: ${messageOf(cause)}` : 'is not there')
  }
}

/** Opens an archive for some work. Only regular files are read, because it is read more than once. */
export const withArchive = async <A>(file: string, work: (archive: Archive) => Promise<A>): Promise<A> => {
  const handle = await opened(file)
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw new ArchiveError(stats.isDirectory() ? 'is a folder' : 'is no regular file')
    return await work({ file, size: stats.size, entries: () => entriesOf(handle) })
  } finally {
    await handle.close()
  }
}

const OWNER_ONLY = 0o600

/** The same content gives the same archive. */
const FIXED = { mode: OWNER_ONLY, mtime: new Date(0) }

/** Adds entries to an archive. */
export interface ArchiveWriter {
  /** Adds an entry with these bytes. */
  add(name: string, bytes: Uint8Array): Promise<void>
  /** Adds an entry with the content of a file. */
  addFile(name: string, path: string): Promise<void>
}

const makeWriter = (pack: Pack): ArchiveWriter & { finish(): Promise<void> } => {
  const all = createHash('sha256')
  let listed: Array<string> = []
  let entries = 0
  let lists = 0

  const write = (name: string, bytes: Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      const header = { ...FIXED, name, size: bytes.length }
      pack.entry(header, bytes, (error) => (error ? reject(error) : resolve()))
    })

  const writeList = async (): Promise<void> => {
    lists += 1
    const text = Buffer.from(listed.join(''))
    all.update(text)
    listed = []
    await write(digestsName(lists), text)
  }

  const list = async (name: string, digest: string): Promise<void> => {
    entries += 1
    if (listed.push(digestLine(digest, name)) === LIST_SIZE) await writeList()
  }

  return {
    async add(name, bytes) {
      await write(name, bytes)
      await list(name, createHash('sha256').update(bytes).digest('hex'))
    },
    async addFile(name, path) {
      const hash = createHash('sha256')
      const sink: unknown = pack.entry({ ...FIXED, name, size: (await stat(path)).size })
      const file = createReadStream(path).on('data', (part) => hash.update(part))
      await pipeline(file, sink as Writable)
      await list(name, hash.digest('hex'))
    },
    async finish() {
      if (listed.length > 0) await writeList()
      await write(END, endBytes(entries, all.digest('hex')))
      pack.finalize()
    },
  }
}

/** Takes the bytes of an archive. Rejects when it cannot. */
export type ArchiveSink = (chunks: AsyncIterable<Uint8Array>) => Promise<void>

/** Writes an archive to a sink. */
export const packArchive = async <A>(
  sink: ArchiveSink,
  content: (writer: ArchiveWriter) => Promise<A>,
): Promise<A> => {
  const pack = makePack()
  // Made here, since it has the error of a pack that is destroyed before the file is open.
  const chunks = pack[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  const writer = makeWriter(pack)
  const written = content(writer).then(async (done) => {
    await writer.finish()
    return done
  })
  // If one of content and file fails, the other one does, with the same error.
  written.catch((cause) => pack.destroy(cause))
  try {
    await sink({ [Symbol.asyncIterator]: () => chunks })
  } catch (cause) {
    pack.destroy()
    throw cause
  } finally {
    await Promise.allSettled([written])
  }
  return written
}

/** Writes an archive to a path, replacing an existing file, and flushes it to the disk. */
export const writeArchive = async <A>(
  path: string,
  content: (writer: ArchiveWriter) => Promise<A>,
): Promise<A & { readonly bytes: number }> => {
  const toFile: ArchiveSink = (chunks) => writeFile(path, chunks, { mode: OWNER_ONLY, flush: true })
  return { ...(await packArchive(toFile, content)), bytes: (await stat(path)).size }
}

const sync = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

let isWarned = false

/** Makes the names in a folder durable. Windows has no such call; file systems may refuse it, with one warning a process (D10). */
const flushFolder = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return
  try {
    await sync(folder)
  } catch (cause) {
    if (!isRefusedCall(cause)) throw cause
    if (isWarned) return
    isWarned = true
    const loss = 'the file system of the archive flushes no folders, so a power cut may take it'
    process.emitWarning(`${loss}: ${cause.message}`, { code: 'ALMONER_ARCHIVE_NOT_FLUSHED' })
  }
}

/** Writes a new file under a temporary name and renames it: it is whole and durable, or absent. Rejects names that exist. */
export const writeNewFile = async <A>(file: string, write: (path: string) => Promise<A>): Promise<A> => {
  if (existsSync(file)) throw new ArchiveError('is there already: choose another name')
  if (!existsSync(dirname(file))) throw new ArchiveError('cannot be made: its folder is not there')
  const partial = `${file}.${randomUUID()}.partial`
  try {
    const done = await write(partial)
    await rename(partial, file)
    await flushFolder(dirname(file))
    return done
  } finally {
    await rm(partial, { force: true })
  }
}
