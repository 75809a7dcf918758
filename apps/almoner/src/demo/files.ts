import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The demonstration's files: beside the sources, or in the folder that the server is built into. */
export const FOLDER = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '../../demo' : 'demo')

/** The files that seeding keeps beside a database. */
export interface DemoFiles {
  /** Exists while a seeding is under way, and after one that was interrupted. Holds the id of its process. */
  readonly marker: string
  readonly credentials: string
}

export const demoFiles = (databaseFile: string): DemoFiles => ({
  marker: `${databaseFile}.seeding`,
  credentials: join(dirname(databaseFile), 'demo-credentials.json'),
})

/** Writes a file that only its owner may read. Atomic and durable: the file is complete or absent. */
export const writePrivately = async (file: string, text: string): Promise<void> => {
  const fresh = `${file}.new`
  await rm(fresh, { force: true })
  await writeFile(fresh, text, { flag: 'wx', mode: 0o600, flush: true })
  await rename(fresh, file)
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // The process exists, but belongs to another user.
    return codeOf(error) === 'EPERM'
  }
}

/** Creates the marker of a seeding. Resolves to whether a dead process had left one; rejects while another process holds it. */
export const acquireMarker = async (marker: string): Promise<boolean> => {
  try {
    await writeFile(marker, String(process.pid), { flag: 'wx', mode: 0o600, flush: true })
    return false
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  const owner = Number(await readFile(marker, 'utf8'))
  if (owner > 0 && owner !== process.pid && isAlive(owner))
    throw new Error('another process is loading the demonstration content')
  await writePrivately(marker, String(process.pid))
  return true
}
