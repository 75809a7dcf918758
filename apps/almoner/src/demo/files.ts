import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The demonstration's files: beside the sources, or in the folder that the server is built into. */
export const FOLDER = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '../../demo' : 'demo')

/** The files that seeding keeps beside a database. */
export interface DemoFiles {
  /** Exists while a seeding is under way, and after one that was interrupted. */
  readonly marker: string
  readonly credentials: string
  /** Holds the id of the process that is seeding. */
  readonly lock: string
}

export const demoFiles = (databaseFile: string): DemoFiles => ({
  marker: `${databaseFile}.seeding`,
  credentials: join(dirname(databaseFile), 'demo-credentials.json'),
  lock: `${databaseFile}.seeding.pid`,
})

/** Writes a file that only its owner may read. Atomic and durable: the file is complete or absent. */
export const writePrivately = async (file: string, text: string): Promise<void> => {
  const fresh = `${file}.new`
  await rm(fresh, { force: true })
  const handle = await open(fresh, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(fresh, file)
}
