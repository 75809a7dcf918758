import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type Check, type Examination, type Found, fault, type Machine, ok, warning } from './finding.ts'

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause ? String(cause.code) : ''

/** Returns whether a path exists. */
export const exists = async (path: string): Promise<boolean> => {
  try {
    await stat(path)
    return true
  } catch (cause) {
    // The second: something above it is no folder.
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(cause))) return false
    throw cause
  }
}

/** Returns where a path leads by its links, as far as it exists. */
const behindLinks = (path: string): Promise<string> => realpath(path).catch(() => path)

const canAccess = (path: string, mode: number): Promise<boolean> =>
  access(path, mode).then(
    () => true,
    () => false,
  )

/** Returns whether files can be created and read in a folder. The dot makes the check fail for a file. */
const isUsableFolder = (folder: string): Promise<boolean> =>
  canAccess(`${folder}/.`, constants.R_OK | constants.W_OK | constants.X_OK)

/** Returns the nearest existing folder above a path. */
const nearestFolder = async (path: string): Promise<string> =>
  (await exists(path)) || dirname(path) === path ? path : nearestFolder(dirname(path))

/** Says whether something can be created when it is first used. */
export const willBeMade = async (what: string, path: string): Promise<Found> => {
  const above = await nearestFolder(dirname(path))
  return (await isUsableFolder(above))
    ? ok(`${what} ${path} is not there yet and will be made`)
    : fault(
        'folder-not-made',
        `${what} ${path} is not there and cannot be made`,
        `make ${above} a folder that this user may write`,
      )
}

/** How to fix a read-only file system. */
export const FIX_READ_ONLY =
  'mount it for writing; the kernel shuts it by itself after a fault of the disk: look at dmesg'

const UNWRITABLE: Readonly<Record<string, Pick<Found, 'code' | 'what' | 'fix'>>> = {
  EROFS: {
    code: 'database-read-only',
    what: 'is on a file system that is mounted read-only',
    fix: FIX_READ_ONLY,
  },
  EACCES: {
    code: 'database-not-writable',
    what: 'cannot be written by this user',
    fix: 'run the service as the owner, or give the folder and what is in it to this user (chown -R)',
  },
}

/** Says why a database's file cannot be written: SQLite also needs its folder, for the files beside it. */
export const unwritable = async (path: string, { mayWrite }: Machine): Promise<Found | undefined> => {
  const file = await behindLinks(path)
  for (const one of [dirname(file), file, `${file}-wal`, `${file}-shm`])
    try {
      if (await exists(one)) await mayWrite(one)
    } catch (cause) {
      const why = UNWRITABLE[codeOf(cause)]
      if (why !== undefined) return fault(why.code, `${one} ${why.what}`, why.fix)
      throw cause
    }
  return undefined
}

/** Examines the file that pushes are written to. Its folder is not created. */
export const pushFileFinding = async (path: string): Promise<Found> => {
  const isUsable = (await exists(path))
    ? (await canAccess(path, constants.W_OK)) && (await stat(path)).isFile()
    : await isUsableFolder(dirname(path))
  return isUsable
    ? warning(
        'push-file',
        'pushes are only written into a file: no device gets any',
        'name the providers in ALMONER_PUSH',
      )
    : fault(
        'push-file-unwritable',
        'the file for pushes cannot be written',
        'name a file in ALMONER_PUSH that this user may write, in a folder that is there',
      )
}

const MEBIBYTE = 1024 * 1024

/** Less room than this counts as none: SQLite's log alone grows to some MiB, and a dozen uploads of 10 MiB may come at once. */
const FULL = 128 * MEBIBYTE

/** Less room than this is a warning: a backup needs room for the database twice. */
const NARROW = 1024 * MEBIBYTE

const FIX = 'make room or give it a larger disk; nothing can be written otherwise: not a post, not a delivery'

/** A place in which the service stores something. */
interface Location {
  readonly place: 'database' | 'images'
  readonly what: string
  readonly path: string
}

const locationsOf = async ({
  settings: { media },
  service,
}: Examination): Promise<ReadonlyArray<Location>> => {
  const file = service.databaseFile
  const locations: Array<Location> = []
  if (file !== undefined)
    locations.push({
      place: 'database',
      what: 'the database',
      path: dirname(await behindLinks(file.path)),
    })
  if (media.kind === 'folder') locations.push({ place: 'images', what: 'images', path: resolve(media.path) })
  return locations
}

const inWords = (bytes: number): string => {
  const mebibytes = Math.floor(bytes / MEBIBYTE)
  return mebibytes < 1024 ? `${mebibytes} MiB` : `${Math.floor(mebibytes / 1024)} GiB`
}

const foundAt = async ({ place, what, path }: Location, { roomAt }: Machine): Promise<Found> => {
  const folder = await nearestFolder(path)
  const { bavail, bsize, files, ffree } = await roomAt(folder)
  const left = bavail * bsize
  const where = `${inWords(left)} are free for ${what}, in ${folder}`
  // Some file systems do not count files, and report that there are none.
  const values = { place, folder, mebibytes: String(Math.floor(left / MEBIBYTE)) }
  if (files > 0 && ffree === 0)
    return fault('disk-files', `no more files can be made for ${what}, in ${folder}`, FIX, values)
  if (left < FULL) return fault('disk-full', `the disk is full: ${where}`, FIX, values)
  if (left < NARROW) return warning('disk-narrow', where, 'make room before it is full', values)
  return ok(where)
}

/** Checks that there is room where files are stored. */
export const diskCheck: Check = {
  name: 'disk',
  asks: 'the file systems of database and images',
  look: async (examination) => {
    const locations = await locationsOf(examination)
    return Promise.all(locations.map((place) => foundAt(place, examination.machine)))
  },
}
