import type { ImageFile, ImageFiles, Unavailable } from '@almoner/domain'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

/** How an image is asked for. */
export type ReadMethod = 'GET' | 'HEAD'

/** Addresses outside this service from which images are read. */
export interface Elsewhere {
  /** The address of an image, for one method. Whether there is such an image need not be known. */
  readonly addressOf: (file: ImageFile, method: ReadMethod) => TaskEither<Unavailable, string>
  /** Seconds for which an address may be kept; 0 where it must not be. */
  readonly lasting: number
}

/** Where stored images come from. */
export type MediaSource =
  /** A folder; the portfolio's images lie in `portfolio/logo` and `portfolio/visual` in it. */
  | { readonly kind: 'folder'; readonly folder: string }
  /** Whatever can read images, which go through this service. */
  | { readonly kind: 'files'; readonly files: ImageFiles }
  /** As before, but for readers who are sent elsewhere. SVGs still go through this service, which says what they may do (H1). */
  | { readonly kind: 'elsewhere'; readonly files: ImageFiles; readonly elsewhere: Elsewhere }
