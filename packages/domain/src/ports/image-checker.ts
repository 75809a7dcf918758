import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { CheckedImage } from '../items/image.ts'
import type { ImageFault, ImageRule } from '../items/image-rules.ts'
import type { Unavailable } from '../values/ports.ts'

/** Looks into uploaded images. */
export interface ImageChecker {
  /**
   * Decodes an upload by its content, rotates it upright, measures it and returns it without metadata (D1). Memory and time are bounded for all
   * inputs.
   */
  check(bytes: Uint8Array, rule: ImageRule): TaskEither<ImageFault | Unavailable, CheckedImage>
}
