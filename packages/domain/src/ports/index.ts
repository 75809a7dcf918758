import type { MediaAddresses } from '../items/image.ts'
import type { AccessTokens } from './access-tokens.ts'
import type { Clients } from './clients.ts'
import type { Clock } from './clock.ts'
import type { DeadDevices } from './dead-devices.ts'
import type { Deliveries } from './deliveries.ts'
import type { Devices } from './devices.ts'
import type { FailedAttempts } from './failed-attempts.ts'
import type { FeedAuthors } from './feed-authors.ts'
import type { History } from './history.ts'
import type { IdempotencyKeys } from './idempotency-keys.ts'
import type { Identities } from './identities.ts'
import type { Ids } from './ids.ts'
import type { ImageChecker } from './image-checker.ts'
import type { FeedItems, LibraryItems } from './item-store.ts'
import type { KnownImages } from './known-images.ts'
import type { Labels } from './labels.ts'
import type { Managers } from './managers.ts'
import type { MediaStore } from './media-store.ts'
import type { Nodes } from './nodes.ts'
import type { Notifications } from './notifications.ts'
import type { OneTimeSecrets } from './one-time-secrets.ts'
import type { Passkeys } from './passkeys.ts'
import type { Passwords } from './passwords.ts'
import type { PersonalData } from './personal-data.ts'
import type { Portfolio } from './portfolio.ts'
import type { PortfolioImageChecker } from './portfolio-image-checker.ts'
import type { PortfolioImages } from './portfolio-images.ts'
import type { Providers } from './providers.ts'
import type { PushGateway } from './push-gateway.ts'
import type { Random } from './random.ts'
import type { Retention } from './retention.ts'
import type { Secrets } from './secrets.ts'
import type { Sessions } from './sessions.ts'
import type { Statistics } from './statistics.ts'
import type { StorageIdentity } from './storage-identity.ts'
import type { Timer } from './timer.ts'
import type { Translations } from './translations.ts'
import type { Users } from './users.ts'
import type { WorkingCopies } from './working-copies.ts'

/** All that the domain asks of the world. A use case takes the few it needs. */
export interface Ports {
  readonly clock: Clock
  readonly ids: Ids
  readonly secrets: Secrets
  readonly clients: Clients
  readonly accessTokens: AccessTokens
  readonly managers: Managers
  readonly sessions: Sessions
  readonly oneTimeSecrets: OneTimeSecrets
  readonly passkeys: Passkeys
  readonly identities: Identities
  readonly passwords: Passwords
  readonly workingCopies: WorkingCopies
  readonly failedAttempts: FailedAttempts
  readonly idempotencyKeys: IdempotencyKeys
  readonly libraryItems: LibraryItems
  readonly feedItems: FeedItems
  readonly feedAuthors: FeedAuthors
  readonly history: History
  readonly labels: Labels
  readonly translations: Translations
  readonly knownImages: KnownImages
  readonly mediaStore: MediaStore
  readonly mediaAddresses: MediaAddresses
  readonly imageChecker: ImageChecker
  readonly users: Users
  readonly devices: Devices
  readonly deadDevices: DeadDevices
  readonly personalData: PersonalData
  readonly notifications: Notifications
  readonly deliveries: Deliveries
  readonly retention: Retention
  readonly providers: Providers
  readonly nodes: Nodes
  readonly statistics: Statistics
  readonly storageIdentity: StorageIdentity
  readonly pushGateway: PushGateway
  readonly random: Random
  readonly timer: Timer
  readonly portfolio: Portfolio
  readonly portfolioImages: PortfolioImages
  readonly portfolioImageChecker: PortfolioImageChecker
}
