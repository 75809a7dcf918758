import { mkdir, open } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** Makes a folder's list of names durable, as fsync does a file's bytes. Windows has no such call. */
export const flushFolder = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
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
