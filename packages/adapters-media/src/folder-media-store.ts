import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Unavailable } from '@almoner/domain'
import { isMediaName, type MediaName } from '@almoner/domain/media'
import type { Clock, MediaStore } from '@almoner/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { attempt } from './attempt.ts'
import { writeDurably } from './folder/durable-write.ts'
import { makeFolder } from './folder/flush.ts'
import { listFiles } from './folder/list-files.ts'
import { removeStale } from './folder/temporary-files.ts'
import { MARKER, markerIn } from './marker.ts'

/** Where {@link openFolderMediaStore} keeps uploads. */
export interface MediaFolder {
  /** Path of the folder; made when it is missing. Several processes may share it. */
  readonly folder: string
  /** Dates the files. */
  readonly clock: Clock
}

const unlessMissing = (error: unknown): undefined => {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}

/** The type says it already; a name from elsewhere must still not lead out of the folder. */
const checked = (name: MediaName): string => {
  if (isMediaName(name)) return name
  throw new TypeError('not a media name')
}

/**
 * Keeps images as files of one folder, under their own names and readable by all, so that any web server can serve them
 * (D2). A file appears whole or not at all. Opening makes the folder and removes temporary files that are older than an
 * hour, left by crashes. Unavailable when the folder cannot be made, read or written.
 */
export const openFolderMediaStore = ({
  folder,
  clock,
}: MediaFolder): TE.TaskEither<Unavailable, MediaStore> =>
  attempt(async () => {
    await makeFolder(folder)
    await removeStale(folder, clock.now())
    return {
      put: (name, { bytes }) => attempt(async () => writeDurably(folder, checked(name), bytes, clock.now())),
      remove: (name) => attempt(async () => rm(join(folder, checked(name)), { force: true })),
      readMarker: () =>
        attempt(async () => {
          const content = await readFile(join(folder, MARKER), 'utf8').catch(unlessMissing)
          return content === undefined ? O.none : markerIn(content)
        }),
      writeMarker: (id) =>
        attempt(async () => writeDurably(folder, MARKER, Buffer.from(`${id}\n`), clock.now())),
      files: () => listFiles(folder, isMediaName),
    }
  })
