import { createReadStream } from 'node:fs'
import type { BytePart, ImageFiles } from '@almoner/domain/ports'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { attempt } from './attempt.ts'
import { cursorOf } from './folder/cursor.ts'
import { factsOf } from './folder/written-at.ts'

/** Bytes of a file, which is opened when they are asked for. */
async function* bytesOf(path: string, part?: BytePart): AsyncGenerator<Uint8Array, void> {
  yield* createReadStream(path, part && { start: part.first, end: part.last })
}

/**
 * Reads the images of a folder that {@link openFolderMediaStore} writes, and those of its folder `portfolio`.
 * @param folder its path; nothing is made
 */
export const folderImageFiles = (folder: string): ImageFiles => {
  const look: ImageFiles['look'] = (file) =>
    attempt(async () => O.fromNullable(await factsOf(cursorOf(folder, file))))
  return {
    look,
    open: (file, part) =>
      pipe(
        look(file),
        TE.map(O.map((facts) => ({ ...facts, bytes: bytesOf(cursorOf(folder, file), part) }))),
      ),
  }
}
