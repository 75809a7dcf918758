import {
  mkdtemp,
  opendir,
  readdir,
  readFile,
  readlink,
  rmdir,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'almoner-portfolio-'
const OWNER = 'owner.json'

/** Milliseconds after which a folder whose process cannot be looked for is abandoned: no upload takes a day. */
const ABANDONED = 7 * 24 * 60 * 60 * 1000

/** A process, so that another one that has its number is not taken for it. */
interface Owner {
  /** The machine since its start, as far as processes there see each other. */
  readonly place: string
  readonly pid: number
  /** When it began, in the machine's own count; empty where the system does not say. */
  readonly began: string
}

/** Reads what a system may not have. */
const orNothing = async (read: Promise<string>): Promise<string> => (await read.catch(() => '')).trim()

/** Fields of `/proc/<pid>/stat` behind the name, which may hold anything: the twentieth is when the process began. */
const BEGAN = 19

const beganOf = async (pid: number): Promise<string> => {
  const text = await orNothing(readFile(`/proc/${pid}/stat`, 'utf8'))
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[BEGAN] ?? ''
}

const placeHere = async (): Promise<string> =>
  [
    hostname(),
    await orNothing(readFile('/proc/sys/kernel/random/boot_id', 'utf8')),
    await orNothing(readlink('/proc/self/ns/pid')),
  ].join(' ')

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return !(cause instanceof Error && 'code' in cause && cause.code === 'ESRCH')
  }
}

const ownerOf = async (folder: string): Promise<Owner | undefined> => {
  try {
    return JSON.parse(await readFile(join(folder, OWNER), 'utf8')) as Owner
  } catch {
    return undefined
  }
}

const isAbandoned = async (folder: string, place: string): Promise<boolean> => {
  const owner = await ownerOf(folder)
  if (owner?.place === place)
    return !isRunning(owner.pid) || (owner.began !== '' && (await beganOf(owner.pid)) !== owner.began)
  return Date.now() - (await stat(folder)).mtimeMs > ABANDONED
}

/** Makes a folder for an upload, which says whose it is. */
export const makeTemporaryFolder = async (parent: string): Promise<string> => {
  const folder = await mkdtemp(join(parent, PREFIX))
  const { pid } = process
  const owner: Owner = { place: await placeHere(), pid, began: await beganOf(pid) }
  await writeFile(join(folder, OWNER), JSON.stringify(owner))
  return folder
}

/** Ignores that something is not there: a cleaner of temporary files may have been faster. */
const ifThere = async (work: Promise<void>): Promise<void> => {
  try {
    await work
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) throw cause
  }
}

const removeContent = async (folder: string): Promise<void> => {
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name)
    await ifThere(entry.isDirectory() ? removeFolder(path) : unlink(path))
  }
  await rmdir(folder)
}

/**
 * Deletes a folder with all that is in it, if it is there, one file after the other: `rm` begins with all at once, and 10,000 files then hold
 * the event loop for 200 ms.
 */
export const removeFolder = (folder: string): Promise<void> => ifThere(removeContent(folder))

/**
 * Deletes the folders of processes that have ended without deleting them (H4). A folder of another machine or container cannot be judged: it goes
 * when nothing has happened in it for a week.
 */
export const removeAbandonedFolders = async (parent: string): Promise<void> => {
  const place = await placeHere()
  for (const name of await readdir(parent)) {
    if (!name.startsWith(PREFIX)) continue
    const folder = join(parent, name)
    // Another process may be deleting it too.
    if (await isAbandoned(folder, place).catch(() => false)) await removeFolder(folder).catch(() => {})
  }
}
