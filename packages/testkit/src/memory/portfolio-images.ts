import { portfolioImagePath } from '@almoner/domain/media'
import type { Clock, PortfolioImages, StoredPortfolioImage } from '@almoner/domain/ports'
import * as TE from 'fp-ts/lib/TaskEither.js'

/** Images of the portfolio in memory, which tests can inspect. */
export interface MemoryPortfolioImages extends PortfolioImages {
  /** The stored bytes, by the image's path. */
  held(): ReadonlyMap<string, Uint8Array>
}

interface MemoryPortfolioImage extends StoredPortfolioImage {
  readonly bytes: Uint8Array
}

/** The reference implementation of a store of portfolio images. @param clock dates new files */
export const memoryPortfolioImages = (clock: Clock): MemoryPortfolioImages => {
  const files = new Map<string, MemoryPortfolioImage>()
  return {
    put: (image, bytes) =>
      TE.fromIO(() => {
        files.set(portfolioImagePath(image), { image, storedAt: clock.now(), bytes: bytes.slice() })
      }),
    remove: (image) =>
      TE.fromIO(() => {
        files.delete(portfolioImagePath(image))
      }),
    files: async function* () {
      if (files.size > 0) yield [...files.values()].map(({ image, storedAt }) => ({ image, storedAt }))
    },
    held: () => new Map([...files].map(([path, { bytes }]) => [path, bytes])),
  }
}
