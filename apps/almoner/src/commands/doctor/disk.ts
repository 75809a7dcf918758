import { dirname, resolve } from 'node:path'
import { behindLinks, nearestFolder } from './files.ts'
import { type Check, type Examination, type Found, fault, ok, warning } from './finding.ts'
import type { Machine } from './machine.ts'

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
