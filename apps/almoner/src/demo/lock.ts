import { readFile, rm, writeFile } from 'node:fs/promises'

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process exists, but belongs to another user.
    return codeOf(error) === 'EPERM'
  }
}

const create = async (file: string): Promise<boolean> => {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Creates the lock file, and replaces one whose process has died. */
const acquire = async (file: string): Promise<void> => {
  if (await create(file)) return
  const owner = Number(await readFile(file, 'utf8'))
  const isHeld = owner > 0 && owner !== process.pid && isAlive(owner)
  if (!isHeld) await rm(file, { force: true })
  if (isHeld || !(await create(file))) throw new Error('another process is loading the demonstration content')
}

/** Does work that one process at a time may do. Rejects while another process holds the lock. */
export const withLock = async <A>(file: string, work: () => Promise<A>): Promise<A> => {
  await acquire(file)
  try {
    return await work()
  } finally {
    await rm(file, { force: true })
  }
}
