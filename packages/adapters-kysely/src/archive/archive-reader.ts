import { existsSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { extract as makeExtract } from 'tar-stream'
import { ArchiveError, messageOf } from './errors.ts'

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
