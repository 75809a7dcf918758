import { randomUUID } from 'node:crypto'
import { mkdir, open, opendir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Instant } from '@almoner/domain'
import { type ImageFacts, type ImageFile, imageFileOf, imageFilePath } from '@almoner/domain/ports'
import { instant, isRefusedCall, MINUTE } from '@almoner/domain/values'

/** The second is a link that leads back to itself. */
const GONE: ReadonlyArray<unknown> = ['ENOENT', 'ELOOP']

const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && GONE.includes(error.code)

/** Returns the metadata of a file, also behind a link (D10); undefined if it is missing or not a regular file. */
export const factsOf = async (path: string): Promise<ImageFacts | undefined> => {
  try {
    const stats = await stat(path)
    return stats.isFile() ? { size: stats.size, storedAt: instant(Math.round(stats.mtimeMs)) } : undefined
  } catch (error) {
    if (isGone(error)) return undefined
    throw error
  }
}

/** When a file was written; undefined as for its other facts. */
const writtenAt = async (path: string): Promise<Instant | undefined> => (await factsOf(path))?.storedAt

/** The path of an image in a folder. The type says that it is one; a name from elsewhere must still not lead out of the folder. */
export const cursorOf = (folder: string, { kind, name }: ImageFile): string => {
  const file = imageFileOf(kind, name)
  if (file === undefined) throw new TypeError('not an image')
  return join(folder, imageFilePath(file))
}

const BATCH = 100

/** A file of a folder. */
interface DatedFile<Name extends string> {
  readonly name: Name
  readonly storedAt: Instant
}

const datedFiles = async <Name extends string>(
  folder: string,
  names: ReadonlyArray<Name>,
): Promise<ReadonlyArray<DatedFile<Name>>> => {
  const moments = await Promise.all(names.map((name) => writtenAt(join(folder, name))))
  return names.flatMap((name, i) => {
    const storedAt = moments[i]
    return storedAt === undefined ? [] : [{ name, storedAt }]
  })
}

/** Lists the files of a folder with names of images, a hundred at a time. Ignores other files. */
export async function* listFiles<Name extends string>(
  folder: string,
  isName: (name: string) => name is Name,
): AsyncGenerator<ReadonlyArray<DatedFile<Name>>, void> {
  let names: Array<Name> = []
  for await (const { name } of await opendir(folder)) {
    if (isName(name)) names.push(name)
    if (names.length < BATCH) continue
    yield await datedFiles(folder, names)
    names = []
  }
  if (names.length > 0) yield await datedFiles(folder, names)
}

/** A call that some file systems refuse, as SMB and FUSE do. */
interface OptionalCall {
  /** The code of its warning. */
  readonly code: string
  /** The consequence of a refusal. */
  readonly loss: string
}

const warned = new Set<string>()

/** Makes a call unless the file system refuses it, which is one warning a process (D10). Rejects with any other error. */
const unlessRefused = async ({ code, loss }: OptionalCall, call: () => Promise<unknown>): Promise<void> => {
  try {
    await call()
  } catch (error) {
    if (!isRefusedCall(error)) throw error
    if (warned.has(code)) return
    warned.add(code)
    process.emitWarning(`${loss}: ${error.message}`, { code })
  }
}

const FLUSHING: OptionalCall = {
  code: 'ALMONER_FOLDER_NOT_FLUSHED',
  loss: 'the file system of the images flushes no folders, so a power cut may take the last uploads',
}

const sync = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes a folder's list of names durable, as fsync does a file's bytes. Windows has no such call, and other file systems may refuse it (D10). */
const flushFolder = async (folder: string): Promise<void> => {
  if (process.platform !== 'win32') await unlessRefused(FLUSHING, () => sync(folder))
}

/** Makes a folder and those above it that are missing, durably. */
export const makeFolder = async (folder: string): Promise<void> => {
  const first = await mkdir(folder, { recursive: true })
  if (first === undefined) return
  const top = dirname(resolve(first))
  let made = resolve(folder)
  while (made !== top) {
    made = dirname(made)
    await flushFolder(made)
  }
}

const PREFIX = '.tmp-'

/** Writing an image takes seconds even on a slow disk, so no process is still writing a file older than this. */
const STALE_AFTER = 60 * MINUTE

/** A fresh name for a file under way. It lies in the folder itself, as renaming must not cross file systems. */
const temporaryName = (): string => `${PREFIX}${randomUUID()}`

/** Removes what crashes left half-written, and leaves alone what another process may be writing. */
export const removeStale = async (folder: string, now: Instant): Promise<void> => {
  for await (const { name } of await opendir(folder)) {
    if (!name.startsWith(PREFIX)) continue
    const path = join(folder, name)
    const moment = await writtenAt(path)
    if (moment !== undefined && now - moment > STALE_AFTER) await rm(path, { force: true })
  }
}

const MODE = 0o644

const DATING: OptionalCall = {
  code: 'ALMONER_TIMES_NOT_SET',
  loss: 'the file system of the images sets no times, so the sweep goes by those that it gives',
}

const writeNew = async (path: string, bytes: Uint8Array, at: Instant): Promise<void> => {
  const handle = await open(path, 'wx', MODE)
  try {
    await handle.writeFile(bytes)
    await unlessRefused(DATING, () => handle.utimes(at / 1000, at / 1000))
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Removing is an attempt: what failed before is the fault to tell, and a leftover is swept later. */
const discard = (path: string): Promise<void> => rm(path, { force: true }).catch(() => undefined)

const isMissing = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'

/**
 * Writes a file under a temporary name, and renames it. Where the temporary file is gone before that, it does so again: a process whose clock is ahead
 * takes it for the remains of a crash (I9).
 */
const place = async (path: string, bytes: Uint8Array, at: Instant, again = true): Promise<void> => {
  const temporary = join(dirname(path), temporaryName())
  try {
    await writeNew(temporary, bytes, at)
    await rename(temporary, path)
  } catch (error) {
    await discard(temporary)
    if (!again || !isMissing(error)) throw error
    await place(path, bytes, at, false)
  }
}

/** Writes a file unless there is one of this name. Returns whether it was written. */
export const writeExclusively = async (path: string, text: string): Promise<boolean> => {
  try {
    await writeFile(path, text, { flag: 'wx', mode: MODE })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/**
 * Writes a file so that it is either whole and durable under its name, or not there: under a temporary name first, flushed,
 * renamed, and the folder flushed.
 * @param at the time that the file bears, where the file system sets times (D10)
 */
export const writeDurably = async (
  folder: string,
  name: string,
  bytes: Uint8Array,
  at: Instant,
): Promise<void> => {
  const path = join(folder, name)
  await place(path, bytes, at)
  try {
    await flushFolder(folder)
  } catch (error) {
    await discard(path)
    throw error
  }
}
