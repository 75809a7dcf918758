import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isRefusedCall } from '@almoner/domain/values'
import { pack as makePack, type Pack } from 'tar-stream'
import { ArchiveError } from './errors.ts'
import { digestLine, digestsName, END, endBytes, LIST_SIZE } from './format.ts'

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
