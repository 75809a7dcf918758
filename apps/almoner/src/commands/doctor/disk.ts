import { dirname, resolve } from 'node:path'
import * as O from 'fp-ts/lib/Option.js'
import { databaseFile } from '../../composition/database.ts'
import { mediaFolderAt } from '../../composition/media.ts'
import type { Settings } from '../../config/definitions.ts'
import { type Check, type Found, fault, ok, warning } from './finding.ts'
import type { Machine } from './machine.ts'
import { nearestFolder } from './places.ts'

const MEBIBYTE = 1024 * 1024

/** Less room than this is none: SQLite's log alone grows to some MiB, and a dozen uploads of 10 MiB may come at once. */
const FULL = 128 * MEBIBYTE

/** With less than this it is time to think of it: a backup needs room for the database twice. */
const NARROW = 1024 * MEBIBYTE

const FIX = 'make room or give it a larger disk; nothing can be written otherwise: not a post, not a delivery'

/** A place in which the service keeps something. */
interface Place {
  readonly what: string
  readonly path: string
}

const placesOf = (settings: Settings): ReadonlyArray<Place> => {
  const file = databaseFile(settings)
  const { media } = settings
  return [
    ...(O.isSome(file) ? [{ what: 'the database', path: dirname(file.value) }] : []),
    ...(media.kind === 'folder' ? [{ what: 'images', path: mediaFolderAt(media.path) }] : []),
  ]
}

const inWords = (bytes: number): string => {
  const mebibytes = Math.floor(bytes / MEBIBYTE)
  return mebibytes < 1024 ? `${mebibytes} MiB` : `${Math.floor(mebibytes / 1024)} GiB`
}

const foundAt = async ({ what, path }: Place, { roomAt }: Machine): Promise<Found> => {
  const folder = await nearestFolder(resolve(path))
  const { bavail, bsize, files, ffree } = await roomAt(folder)
  const left = bavail * bsize
  const where = `${inWords(left)} are free for ${what}, in ${folder}`
  // Some file systems count no files, and say that there are none.
  if (files > 0 && ffree === 0) return fault(`no more files can be made for ${what}, in ${folder}`, FIX)
  if (left < FULL) return fault(`the disk is full: ${where}`, FIX)
  return left < NARROW ? warning(where, 'make room before it is full') : ok(where)
}

/** Whether there is room where files are kept. Of a database on a server and of a bucket it is for them to say. */
export const diskCheck: Check = {
  name: 'disk',
  look: (settings, machine) => Promise.all(placesOf(settings).map((place) => foundAt(place, machine))),
}
