import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Instant } from '@almoner/domain'
import { flushFolder } from './flush.ts'
import { temporaryName } from './temporary-files.ts'

const MODE = 0o644

const writeNew = async (path: string, bytes: Uint8Array, at: Instant): Promise<void> => {
  const handle = await open(path, 'wx', MODE)
  try {
    await handle.writeFile(bytes)
    await handle.utimes(at / 1000, at / 1000)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Removing is an attempt: what failed before is the fault to tell, and a leftover is swept later. */
const discard = (path: string): Promise<void> => rm(path, { force: true }).catch(() => undefined)

/**
 * Writes a file so that it is either whole and durable under its name, or not there: under a temporary name first, flushed,
 * renamed, and the folder flushed.
 * @param at the time that the file bears
 */
export const writeDurably = async (
  folder: string,
  name: string,
  bytes: Uint8Array,
  at: Instant,
): Promise<void> => {
  const temporary = join(folder, temporaryName())
  const path = join(folder, name)
  try {
    await writeNew(temporary, bytes, at)
    await rename(temporary, path)
  } catch (error) {
    await discard(temporary)
    throw error
  }
  try {
    await flushFolder(folder)
  } catch (error) {
    await discard(path)
    throw error
  }
}
