import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { MediaName } from '../items/image.ts'
import type { MediaStore } from '../ports/media-store.ts'

/**
 * Deletes files that nothing points to any more. A file that will not go is left to the sweep (D5): what the caller asked
 * for has been done already, so this never fails.
 */
export const discard =
  (mediaStore: Pick<MediaStore, 'remove'>, names: ReadonlyArray<MediaName>): TE.TaskEither<never, void> =>
  async () => {
    await Promise.all(names.map((name) => mediaStore.remove(name)()))
    return { _tag: 'Right', right: undefined }
  }
