import type { CheckedImage, MediaName, StorageId } from '@almoner/domain/media'
import type { Clock, MediaStore, StoredFile } from '@almoner/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'

/** A media store in memory that tests can inspect. */
export interface MemoryMediaStore extends MediaStore {
  /** The stored images, by name. */
  held(): ReadonlyMap<MediaName, CheckedImage>
}

interface MemoryFile extends StoredFile {
  readonly image: CheckedImage
}

/** The reference implementation of a media store. @param clock dates new files */
export const memoryMediaStore = (clock: Clock): MemoryMediaStore => {
  const files = new Map<MediaName, MemoryFile>()
  let marker: O.Option<StorageId> = O.none
  return {
    put: (name, { type, bytes }) =>
      TE.fromIO(() => {
        files.set(name, { name, storedAt: clock.now(), image: { type, bytes: bytes.slice() } })
      }),
    remove: (name) =>
      TE.fromIO(() => {
        files.delete(name)
      }),
    files: async function* () {
      if (files.size > 0) yield [...files.values()].map(({ name, storedAt }) => ({ name, storedAt }))
    },
    readMarker: () => TE.fromIO(() => marker),
    writeMarker: (id) =>
      TE.fromIO(() => {
        marker = O.some(id)
      }),
    held: () => new Map([...files].map(([name, { image }]) => [name, image])),
  }
}
