import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { PortfolioImage } from '../portfolio/image.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'

/** A file as the store holds it. */
export interface StoredPortfolioImage {
  readonly image: PortfolioImage
  readonly storedAt: Instant
}

/** Where the bytes of the portfolio's images live (H1). */
export interface PortfolioImages {
  /**
   * Stores an image. An existing one is stored again with the current date, so that no sweep considers it old. When it succeeds, the bytes are
   * durable; when it fails, the previous file is intact.
   */
  put(image: PortfolioImage, bytes: Uint8Array): TaskEither<Unavailable, void>
  /** Deletes a file; one that is not there is no fault. */
  remove(image: PortfolioImage): TaskEither<Unavailable, void>
  /** Every file held, in batches and no order. A fault throws out of the iteration. */
  files(): AsyncIterable<ReadonlyArray<StoredPortfolioImage>>
}
