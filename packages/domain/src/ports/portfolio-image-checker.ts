import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { ImageFault } from '../items/image-rules.ts'
import type { CheckedPortfolioImage } from '../portfolio/image.ts'
import type { Unavailable } from './unavailable.ts'

/** Looks into the image files of a portfolio that is loaded. */
export interface PortfolioImageChecker {
  /**
   * Tells by its content whether a file is an SVG, PNG or JPEG, and decodes it whole (H1). PNG and JPEG come back upright and
   * without metadata, as uploads do; an SVG comes back as it is. The same bytes always give the same answer.
   */
  check(bytes: Uint8Array): TaskEither<ImageFault | Unavailable, CheckedPortfolioImage>
}
