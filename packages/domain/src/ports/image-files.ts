import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { ImageFile } from '../items/image-file.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'

/** The metadata of a file. */
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
   * The bytes of the file or range, read on demand. Iterate it once, completely or not: either releases its resources. A failure throws out of the
   * iteration.
   */
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Reading what {@link MediaStore} and {@link PortfolioImages} hold: to serve it (D2, H1), or to take it elsewhere. */
export interface ImageFiles {
  /** Returns the metadata of a file; none if it is missing. */
  look(file: ImageFile): TaskEither<Unavailable, Option<ImageFacts>>
  /** Opens a file, or a part of it; none when it is not there. */
  open(file: ImageFile, part?: BytePart): TaskEither<Unavailable, Option<OpenImage>>
}
