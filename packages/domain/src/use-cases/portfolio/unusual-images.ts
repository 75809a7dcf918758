import { NORMAL_SIZES, type PortfolioImageKind } from '../../media/portfolio-images.ts'
import type { KnownFile } from './check-files.ts'

/** An image of another size than the interface calls normal, in pixels. It is served all the same. */
export interface UnusualImage {
  readonly kind: PortfolioImageKind
  readonly file: string
  readonly width: number
  readonly height: number
}

/** Returns the images of other sizes than the normal ones. */
export const unusualImages = (files: ReadonlyArray<KnownFile>): ReadonlyArray<UnusualImage> =>
  files
    .filter(({ use: { kind }, width, height }) => {
      const normal = NORMAL_SIZES[kind]
      return width !== normal.width || height !== normal.height
    })
    .map(({ use: { kind, file }, width, height }) => ({ kind, file, width, height }))
