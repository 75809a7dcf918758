/**
 * Keeps a copy in a file, for Node.
 * @module @almoner/client/file-store
 */

import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { memoryStore } from './sync/memory-store.ts'
import type { CopyEntry, CopyKind, CopyPosition, CopyStep, SyncStore } from './sync/model.ts'

/** The first line of a file. */
const HEAD = `${JSON.stringify({ format: 'almoner-copy', version: 1 })}\n`

const NEWLINE = 0x0a
const SPACE = 0x20

/** Records of a file that are never worth removing. */
const FEW = 1000

/** Entries in a line of a rewritten file. */
const ENTRIES_PER_LINE = 1000

const KINDS: ReadonlyArray<CopyKind> = ['library', 'feed', 'label']

/** A copy is content that not every user of the machine may see. */
const MODE = 0o600

interface Opened {
  readonly memory: SyncStore
  readonly handle: FileHandle
  /** Records in the file: entries that were put or removed, and answers. */
  records: number
  /** Entries of the copy when the file was opened. */
  readonly entries: number
}

const recordsOf = ({ puts, removes }: CopyStep): number => 1 + puts.length + removes.length

const entriesIn = async (memory: SyncStore): Promise<Array<CopyEntry>> => {
  const entries: Array<CopyEntry> = []
  for (const kind of KINDS) await memory.scan(kind, (entry) => entries.push(entry) > 0)
  return entries
}

const readIfThere = (path: string): Promise<Buffer> =>
  readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0)
    throw error
  })

/** A line begins with the checksum of its step: a disk may return other bytes than it was given. */
const lineOf = (step: CopyStep): string => {
  const text = JSON.stringify(step)
  return `${crc32(text)} ${text}\n`
}

const stepIn = (line: Buffer): CopyStep | undefined => {
  const start = line.indexOf(SPACE) + 1
  const text = line.subarray(start)
  return line.toString('latin1', 0, start) === `${crc32(text)} ` ? JSON.parse(text.toString()) : undefined
}

/**
 * Repeats the steps of a file in memory. Returns the bytes that it has understood, and the records in them: a write that was cut off leaves
 * a last line that is not whole, a disk may damage any line, and the lines before any line are a whole copy.
 */
const repeat = async (path: string, memory: SyncStore) => {
  const bytes = await readIfThere(path)
  const head = bytes.toString('utf8', 0, HEAD.length)
  if (!HEAD.startsWith(head)) throw new Error(`${path} holds no copy of this version. Choose another file.`)
  if (head !== HEAD) return { size: 0, records: 0 }
  let [size, records] = [HEAD.length, 0]
  for (;;) {
    const end = bytes.indexOf(NEWLINE, size)
    const step = end < 0 ? undefined : stepIn(bytes.subarray(size, end))
    if (step === undefined || (await memory.apply(step)) === undefined) return { size, records }
    size = end + 1
    records += recordsOf(step)
  }
}

/** Makes the entries of a folder durable where the file system can. */
const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(dirname(path)).catch(() => undefined)
  await folder?.sync().catch(() => {})
  await folder?.close()
}

/** Writes the steps that lead from nothing to a copy. */
const writeAnew = async (file: FileHandle, memory: SyncStore, to: CopyPosition): Promise<void> => {
  const entries = await entriesIn(memory)
  await file.appendFile(HEAD)
  let from: string | undefined
  do {
    const step: CopyStep = { from, to, puts: entries.splice(-ENTRIES_PER_LINE), removes: [], sweeps: false }
    await file.appendFile(lineOf(step))
    from = to.cursor
  } while (entries.length > 0)
}

/**
 * Keeps a copy in a file, and in memory while it is used. Each answer is one line that is on the disk before it is applied, so a process
 * that is killed, or a machine that stops, loses nothing that was applied. A file may belong to one process at a time. Rejects as the
 * file system does.
 * @param path the file, created at first use with access for its owner only; `path` with `.new` is used beside it
 */
export const fileStore = (path: string): SyncStore => {
  let opening: Promise<Opened> | undefined
  let last: Promise<unknown> = Promise.resolve()

  /** Lets writes follow each other. */
  const inTurn = <A>(act: () => Promise<A>): Promise<A> => {
    const next = last.then(act, act)
    last = next.catch(() => {})
    return next
  }

  const openFile = async (): Promise<Opened> => {
    const memory = memoryStore()
    const { size, records } = await repeat(path, memory)
    const handle = await open(path, 'a', MODE)
    try {
      await handle.truncate(size)
      if (size === 0) await handle.appendFile(HEAD)
      await handle.sync()
      await syncFolder(path)
    } catch (error) {
      await handle.close()
      throw error
    }
    return { memory, handle, records, entries: (await entriesIn(memory)).length }
  }

  const opened = (): Promise<Opened> => {
    opening ??= openFile().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }

  const forget = async (): Promise<void> => {
    const file = await opening?.catch(() => undefined)
    opening = undefined
    await file?.handle.close().catch(() => {})
  }

  /** Replaces the file by one that holds each entry once. */
  const rewrite = async ({ memory }: Opened, to: CopyPosition): Promise<void> => {
    const next = `${path}.new`
    await rm(next, { force: true })
    const file = await open(next, 'a', MODE)
    try {
      await writeAnew(file, memory, to)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(next, path)
    await syncFolder(path)
    await forget()
  }

  const append = async ({ handle }: Opened, step: CopyStep): Promise<void> => {
    await handle.appendFile(lineOf(step))
    await handle.datasync()
  }

  const apply = async (step: CopyStep) => {
    const file = await opened()
    if ((await file.memory.position())?.cursor !== step.from) return undefined
    try {
      await append(file, step)
    } catch (error) {
      // Any part of the line may be in the file now. The next use reads the file.
      await forget()
      throw error
    }
    const swept = await file.memory.apply(step)
    file.records += recordsOf(step)
    if (file.records > FEW + 2 * file.entries)
      await rewrite(file, step.to).catch(async () => {
        // Without room for a second file the first one grows on, until the next try.
        file.records = 0
        await rm(`${path}.new`, { force: true }).catch(() => {})
      })
    return swept
  }

  return {
    position: async () => (await opened()).memory.position(),
    apply: (step) => inTurn(() => apply(step)),
    get: async (kind, id) => (await opened()).memory.get(kind, id),
    scan: async (kind, visit) => (await opened()).memory.scan(kind, visit),
    clear: () =>
      inTurn(async () => {
        await forget()
        await rm(path, { force: true })
      }),
    close: () => inTurn(forget),
  }
}
