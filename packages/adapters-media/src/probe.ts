import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Unavailable } from '@almoner/domain'
import type { MediaName } from '@almoner/domain/media'
import type { ImageFiles, MediaStore } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { attempt } from './attempt.ts'
import { folderImageFiles } from './folder-image-files.ts'
import { type MediaFolder, openFolderMediaStore } from './folder-media-store.ts'

/** Resolves to the value of a task, or rejects with the cause of its failure. */
const orThrow = async <A>(task: TE.TaskEither<Unavailable, A>): Promise<A> => {
  const done = await task()
  if (E.isLeft(done)) throw done.left.cause
  return done.right
}

const isListed = async ({ files }: MediaStore, name: MediaName): Promise<boolean> => {
  for await (const batch of files()) if (batch.some((file) => file.name === name)) return true
  return false
}

/** The image storage that is tried out. */
interface Storage {
  readonly mediaStore: MediaStore
  readonly imageFiles: ImageFiles
}

const writeAndRead = async ({ mediaStore, imageFiles }: Storage, name: MediaName): Promise<void> => {
  const bytes = Buffer.from(name)
  await orThrow(mediaStore.put(name, { type: 'image/png', bytes }))
  const opened = await orThrow(imageFiles.open({ kind: 'upload', name }))
  const isSame = O.isSome(opened) && bytes.equals(await buffer(opened.value.bytes))
  if (!isSame) throw new Error('a file that was just written cannot be read')
  if (!(await isListed(mediaStore, name))) throw new Error('a file that was just written is not listed')
}

/**
 * Stores a small file as an upload, then reads, lists and deletes it (D10). Unavailable with the reason of the first step that fails. An
 * interrupted trial leaves a file without a row, which the sweep deletes (D5).
 */
export const probeStorage = (storage: Storage): TE.TaskEither<Unavailable, void> =>
  attempt(async () => {
    // Sorted before most other names, so that a bucket lists it on one of the first pages.
    const name = `0-${randomUUID()}.png` as MediaName
    try {
      await writeAndRead(storage, name)
    } catch (cause) {
      await storage.mediaStore.remove(name)()
      throw cause
    }
    await orThrow(storage.mediaStore.remove(name))
  })

/** Stores, reads, lists and deletes an image in a folder of images, which is made if it is missing. */
export const probeMediaFolder = (place: MediaFolder): TE.TaskEither<Unavailable, void> =>
  TE.flatMap((mediaStore: MediaStore) =>
    probeStorage({ mediaStore, imageFiles: folderImageFiles(place.folder) }),
  )(openFolderMediaStore(place))
