import { type FileHandle, open } from 'node:fs/promises'
import { whyUnread } from '../read-file.ts'
import { ArchiveFault } from './archive-fault.ts'
import { BLOCK, fillingOf, readHeader, TAIL } from './tar.ts'

/** Bytes read at a time from contents that need not fit into memory. */
const PART = 256 * 1024

/** Bytes of an entry that is read whole: far more than any that is written so. */
const LARGEST = 64 * 1024 * 1024

/** An entry of an archive. */
export interface Entry {
  readonly name: string
  readonly size: number
  /** Where its content begins. */
  readonly at: number
}

/** An archive that is open for reading, in any order and any number of times. */
export interface ArchiveReader {
  readonly size: number
  /** Its entries, from the first to the last; throws {@link ArchiveFault} where it is no archive. */
  entries(): AsyncGenerator<Entry, void>
  /** The content of an entry that fits into memory. */
  bytes(entry: Entry): Promise<Buffer>
  /** The content of any entry, in parts that are good until the next is asked for. */
  parts(entry: Entry): AsyncGenerator<Buffer, void>
  close(): Promise<void>
}

const TORN = 'ends too early: it is not whole'

const readOf = (handle: FileHandle) => {
  const fill = async (buffer: Buffer, position: number): Promise<Buffer> => {
    let filled = 0
    while (filled < buffer.length) {
      const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, position + filled)
      if (bytesRead === 0) throw new ArchiveFault(TORN)
      filled += bytesRead
    }
    return buffer
  }
  return fill
}

const readerOn = (handle: FileHandle, size: number): ArchiveReader => {
  const read = readOf(handle)

  const checkFilling = async ({ name, at, size }: Entry): Promise<void> => {
    const filling = fillingOf(size)
    const bytes = await read(Buffer.allocUnsafe(filling), at + size)
    if (!bytes.equals(TAIL.subarray(0, filling))) throw new ArchiveFault(`is broken behind ${name}`)
  }

  /** What ends an archive stands at its very end, and nothing else does. */
  const checkTail = async (at: number): Promise<void> => {
    const tail = await read(Buffer.allocUnsafe(TAIL.length), at)
    if (at + TAIL.length < size || !tail.equals(TAIL)) throw new ArchiveFault('goes on behind its end')
  }

  return {
    size,
    async *entries() {
      const block = Buffer.allocUnsafe(BLOCK)
      let at = 0
      for (;;) {
        const header = readHeader(await read(block, at), at)
        if (header === undefined) return checkTail(at)
        const entry = { ...header, at: at + BLOCK }
        const next = entry.at + entry.size + fillingOf(entry.size)
        if (next > size) throw new ArchiveFault(TORN)
        await checkFilling(entry)
        yield entry
        at = next
      }
    },
    async bytes({ name, at, size }) {
      if (size > LARGEST)
        throw new ArchiveFault(`holds ${name}, which is larger than any that was ever written`)
      return read(Buffer.allocUnsafe(size), at)
    },
    async *parts({ at, size }) {
      const buffer = Buffer.allocUnsafe(Math.min(PART, size))
      for (let done = 0; done < size; done += buffer.length)
        yield await read(buffer.subarray(0, Math.min(buffer.length, size - done)), at + done)
    },
    close: () => handle.close(),
  }
}

/** Opens an archive. Only regular files are read: it is gone through more than once. */
export const openArchive = async (file: string): Promise<ArchiveReader> => {
  const handle = await open(file, 'r').catch((cause: unknown) => {
    throw new ArchiveFault(whyUnread(cause))
  })
  const stats = await handle.stat()
  if (stats.isFile()) return readerOn(handle, stats.size)
  await handle.close()
  throw new ArchiveFault(stats.isDirectory() ? 'is a folder' : 'is no regular file')
}
