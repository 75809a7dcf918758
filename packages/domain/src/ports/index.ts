import type { MediaAddresses } from '../items/media-addresses.ts'
import type { AccessTokens } from './access-tokens.ts'
import type { Clients } from './clients.ts'
import type { Clock } from './clock.ts'
import type { FailedAttempts } from './failed-attempts.ts'
import type { Ids } from './ids.ts'
import type { ImageChecker } from './image-checker.ts'
import type { FeedItems, LibraryItems } from './item-store.ts'
import type { KnownImages } from './known-images.ts'
import type { Labels } from './labels.ts'
import type { MediaStore } from './media-store.ts'
import type { Secrets } from './secrets.ts'

/** All that the domain asks of the world. A use case takes the few it needs. */
export interface Ports {
  readonly clock: Clock
  readonly ids: Ids
  readonly secrets: Secrets
  readonly clients: Clients
  readonly accessTokens: AccessTokens
  readonly failedAttempts: FailedAttempts
  readonly libraryItems: LibraryItems
  readonly feedItems: FeedItems
  readonly labels: Labels
  readonly knownImages: KnownImages
  readonly mediaStore: MediaStore
  readonly mediaAddresses: MediaAddresses
  readonly imageChecker: ImageChecker
}
