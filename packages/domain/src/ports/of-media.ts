import type { MediaAddresses } from '../items/image.ts'
import type { CommonPorts } from '../values/ports.ts'
import type { ImageChecker } from './image-checker.ts'
import type { KnownImages } from './known-images.ts'
import type { MediaStore } from './media-store.ts'
import type { PortfolioImageChecker } from './portfolio-image-checker.ts'
import type { PortfolioImages } from './portfolio-images.ts'
import type { StorageIdentity } from './storage-identity.ts'

/** What media and the areas before it ask of the world. */
export interface MediaPorts extends CommonPorts {
  readonly mediaStore: MediaStore
  readonly mediaAddresses: MediaAddresses
  readonly imageChecker: ImageChecker
  readonly knownImages: KnownImages
  readonly storageIdentity: StorageIdentity
  readonly portfolioImages: PortfolioImages
  readonly portfolioImageChecker: PortfolioImageChecker
}
