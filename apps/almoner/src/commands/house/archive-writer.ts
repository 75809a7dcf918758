import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { ArchiveFault } from './archive-fault.ts'
import { digestLine, digestsName, END, LISTED } from './format.ts'
import { fillingOf, headerOf, TAIL } from './tar.ts'

/** Writes an archive: a tar file whose entries' digests stand in lists behind them. */
export interface ArchiveWriter {
  /** Adds an entry. */
  add(name: string, bytes: Uint8Array): Promise<void>
  /** Adds an entry of a known size, whose content comes in parts. */
  addParts(name: string, size: number, parts: AsyncIterable<Uint8Array>): Promise<void>
  /** Adds what closes the archive, and gives its size. Nothing can be added after that. */
  finish(): Promise<number>
}

/** Writes an archive to an empty file. */
export const makeArchiveWriter = (handle: FileHandle): ArchiveWriter => {
  const all = createHash('sha256')
  let listed: Array<string> = []
  let entries = 0
  let lists = 0
  let bytes = 0

  const write = async (...parts: ReadonlyArray<Uint8Array>): Promise<void> => {
    const { bytesWritten } = await handle.writev([...parts], bytes)
    const size = parts.reduce((sum, { length }) => sum + length, 0)
    if (bytesWritten < size) throw new ArchiveFault('cannot be written: the disk is full')
    bytes += size
  }

  const list = async (): Promise<void> => {
    lists += 1
    const text = Buffer.from(listed.join(''))
    all.update(text)
    listed = []
    await write(headerOf(digestsName(lists), text.length), text, TAIL.subarray(0, fillingOf(text.length)))
  }

  const isAdded = async (name: string, digest: string): Promise<void> => {
    entries += 1
    listed.push(digestLine(digest, name))
    if (listed.length === LISTED) await list()
  }

  return {
    async add(name, content) {
      const { length } = content
      await write(headerOf(name, length), content, TAIL.subarray(0, fillingOf(length)))
      await isAdded(name, createHash('sha256').update(content).digest('hex'))
    },
    async addParts(name, size, parts) {
      const hash = createHash('sha256')
      let length = 0
      await write(headerOf(name, size))
      for await (const part of parts) {
        hash.update(part)
        length += part.length
        await write(part)
      }
      if (length !== size) throw new ArchiveFault(`cannot be written: ${name} changed while it was read`)
      await write(TAIL.subarray(0, fillingOf(size)))
      await isAdded(name, hash.digest('hex'))
    },
    async finish() {
      if (listed.length > 0) await list()
      const end = Buffer.from(`${JSON.stringify({ entries, digests: all.digest('hex') })}\n`)
      await write(headerOf(END, end.length), end, TAIL.subarray(0, fillingOf(end.length)), TAIL)
      return bytes
    },
  }
}
