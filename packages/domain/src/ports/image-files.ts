import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { ImageFile } from '../items/image-file.ts'
import type { Instant } from '../values/instant.ts'
import type { Unavailable } from './unavailable.ts'

/** What is known of a file without its bytes. */
export interface ImageFacts {
  /** Bytes of the whole file. */
  readonly size: number
  readonly storedAt: Instant
}

/** Bytes of a file from one to another, counted from 0, both included. Both lie within the file. */
export interface BytePart {
  readonly first: number
  readonly last: number
}

/** A file that is being read. */
export interface OpenImage extends ImageFacts {
  /**
   * The bytes, or those of the part, read as they are asked for. To be iterated once, to its end or not: what is held open goes with
   * it. A fault throws out of the iteration.
   */
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Reading what {@link MediaStore} and {@link PortfolioImages} hold: to serve it (D2, H1), or to take it elsewhere. */
export interface ImageFiles {
  /** What is known of a file; none when it is not there. */
  look(file: ImageFile): TaskEither<Unavailable, Option<ImageFacts>>
  /** Opens a file, or a part of it; none when it is not there. */
  open(file: ImageFile, part?: BytePart): TaskEither<Unavailable, Option<OpenImage>>
}
