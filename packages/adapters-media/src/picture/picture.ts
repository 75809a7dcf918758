import type { ImageFault, ImageType } from '@almoner/domain'

/** What a file shows, taken out of it. */
export interface Picture {
  readonly type: ImageType
  /** Pixels, upright: after the orientation is applied (D1). */
  readonly width: number
  readonly height: number
  /**
   * A file of the same type with nothing in it but the picture: its pixels, its colour profile and its orientation. No
   * other part of an upload reaches the decoder, and nothing in it can make the decoder take it for another format.
   */
  readonly bytes: Uint8Array
}

/** The file ends too early or contradicts itself. */
export const BROKEN: ImageFault = { _tag: 'BrokenImage' }

/** The file is sound, but of a kind that is not taken; `reason` completes the sentence "<field> …". */
export const unsupported = (reason: string): ImageFault => ({ _tag: 'UnsupportedImage', reason })

/** Chunks or segments that a file may have: real ones have hundreds, and ten megabytes have room for millions. */
export const MOST_PARTS = 20_000
