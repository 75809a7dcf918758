import { mkdir, open } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type OptionalCall, unlessRefused } from './unless-refused.ts'

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
export const flushFolder = async (folder: string): Promise<void> => {
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
