import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Unavailable } from '@almoner/domain'
import type { MediaName } from '@almoner/domain/library'
import type { MediaStore } from '@almoner/domain/ports'
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

/** Stores a small file as an upload, then reads, lists and deletes it. */
const tryOut = async (store: MediaStore, folder: string): Promise<void> => {
  const name = `${randomUUID()}.png` as MediaName
  const bytes = Buffer.from(name)
  try {
    await orThrow(store.put(name, { type: 'image/png', bytes }))
    const opened = await orThrow(folderImageFiles(folder).open({ kind: 'upload', name }))
    const isSame = O.isSome(opened) && bytes.equals(await buffer(opened.value.bytes))
    if (!isSame) throw new Error('a file that was just written cannot be read')
    if (!(await isListed(store, name))) throw new Error('a file that was just written is not listed')
  } finally {
    await orThrow(store.remove(name))
  }
}

/**
 * Does in a folder of images what uploads do, with a file that it deletes afterwards (D10). The folder is made if it is missing. Unavailable with
 * the reason where a step fails. An interrupted trial leaves a file without a row, which the sweep deletes (D5).
 */
export const probeMediaFolder = (place: MediaFolder): TE.TaskEither<Unavailable, void> =>
  TE.flatMap((store: MediaStore) => attempt(() => tryOut(store, place.folder)))(openFolderMediaStore(place))
