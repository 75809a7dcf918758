import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { CheckedImage } from '../items/image.ts'
import type { ImageFault, ImageRule } from '../items/image-rules.ts'
import type { Unavailable } from './unavailable.ts'

/** Looks into uploaded images. */
export interface ImageChecker {
  /**
   * Decodes an upload whole, by its content alone, turns it upright, measures it and gives it back without metadata (D1).
   * Bounded in memory and time whatever the bytes are.
   */
  check(bytes: Uint8Array, rule: ImageRule): TaskEither<ImageFault | Unavailable, CheckedImage>
}
