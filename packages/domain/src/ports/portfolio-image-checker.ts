import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { ImageFault } from '../items/image-rules.ts'
import type { CheckedPortfolioImage } from '../portfolio/image.ts'
import type { Unavailable } from '../values/ports.ts'

/** Looks into the image files of a portfolio that is loaded. */
export interface PortfolioImageChecker {
  /**
   * Determines by content whether a file is an SVG, PNG or JPEG, and decodes it (H1). Returns PNG and JPEG upright and without metadata, as for
   * uploads, and SVG unchanged. The same bytes always give the same result.
   */
  check(bytes: Uint8Array): TaskEither<ImageFault | Unavailable, CheckedPortfolioImage>
}
