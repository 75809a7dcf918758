import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ArchiveFault } from './archive-fault.ts'

const OWNER_ONLY = 0o600

/** Makes a folder's list of names durable. Windows has no such call. */
const flushFolder = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const writeWhole = async <A>(path: string, work: (handle: FileHandle) => Promise<A>): Promise<A> => {
  const handle = await open(path, 'wx', OWNER_ONLY)
  try {
    const done = await work(handle)
    await handle.sync()
    return done
  } finally {
    await handle.close()
  }
}

/**
 * Writes a file for its owner alone, so that it is whole and durable under its name or not there: under a temporary name beside it
 * first, which a kill leaves behind. A file that is there already stays, and is a fault; so is a folder that is not there.
 */
export const writeNewFile = async <A>(file: string, work: (handle: FileHandle) => Promise<A>): Promise<A> => {
  if (existsSync(file)) throw new ArchiveFault('is there already: choose another name')
  if (!existsSync(dirname(file))) throw new ArchiveFault('cannot be made: its folder is not there')
  const partial = `${file}.${randomUUID()}.partial`
  try {
    const done = await writeWhole(partial, work)
    await rename(partial, file)
    await flushFolder(dirname(file))
    return done
  } finally {
    await rm(partial, { force: true })
  }
}
