import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { MediaName } from '../items/image.ts'
import type { Unavailable } from '../values/ports.ts'

/** Which stored images the item stores know of: a file outside this set is an orphan (D5). */
export interface KnownImages {
  /** Returns whether the database knows no stored image at all. */
  isEmpty(): TaskEither<Unavailable, boolean>
  /** Those of the names given that are known. */
  among(names: ReadonlyArray<MediaName>): TaskEither<Unavailable, ReadonlySet<MediaName>>
}
