import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Instant } from '@almoner/domain'
import { flushFolder } from './flush.ts'
import { temporaryName } from './temporary-files.ts'
import { type OptionalCall, unlessRefused } from './unless-refused.ts'

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

const isGone = (cause: unknown): boolean =>
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
    if (!again || !isGone(error)) throw error
    await place(path, bytes, at, false)
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
