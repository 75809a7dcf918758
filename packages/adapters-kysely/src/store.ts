import type { Ports } from '@almoner/domain'
import { makeAccessTokens } from './access/access-tokens.ts'
import { makeClients } from './access/clients.ts'
import { makeDeliveries } from './deliveries/deliveries.ts'
import { makeProviders } from './deliveries/providers.ts'
import { makeRetention } from './deliveries/retention.ts'
import type { Engine } from './engine.ts'
import { makeIdempotencyKeys } from './idempotency/idempotency-keys.ts'
import { feedTable } from './items/feed-table.ts'
import { makeItemStore } from './items/item-store.ts'
import { libraryTable } from './items/library-table.ts'
import { makeKnownImages } from './known-images.ts'
import { makeLabels } from './labels/labels.ts'
import { makeNodes } from './nodes.ts'
import { makeNotifications } from './notifications/notifications.ts'
import { makeDeadDevices } from './people/dead-devices.ts'
import { makeDevices } from './people/devices.ts'
import { makeUsers } from './people/users.ts'
import { makePortfolio } from './portfolio/portfolio.ts'
import { makeRunner } from './runner.ts'
import { makeStatistics } from './statistics/statistics.ts'
import { makeStorageIdentity } from './storage-identity.ts'

/** The ports that a database stands behind. */
export type Store = Pick<
  Ports,
  | 'libraryItems'
  | 'feedItems'
  | 'labels'
  | 'clients'
  | 'accessTokens'
  | 'idempotencyKeys'
  | 'knownImages'
  | 'users'
  | 'devices'
  | 'deadDevices'
  | 'notifications'
  | 'providers'
  | 'nodes'
  | 'statistics'
  | 'storageIdentity'
  | 'deliveries'
  | 'retention'
  | 'portfolio'
>

/**
 * Every repository, on one engine whose schema is current.
 */
export const makeStore = (engine: Engine): Store => {
  const runner = makeRunner(engine)
  return {
    libraryItems: makeItemStore(runner, libraryTable),
    feedItems: makeItemStore(runner, feedTable),
    labels: makeLabels(runner),
    clients: makeClients(runner),
    accessTokens: makeAccessTokens(runner),
    idempotencyKeys: makeIdempotencyKeys(runner),
    knownImages: makeKnownImages(runner),
    users: makeUsers(runner),
    devices: makeDevices(runner),
    deadDevices: makeDeadDevices(runner),
    providers: makeProviders(runner),
    nodes: makeNodes(runner),
    statistics: makeStatistics(runner),
    storageIdentity: makeStorageIdentity(runner),
    notifications: makeNotifications(runner),
    deliveries: makeDeliveries(runner),
    retention: makeRetention(runner),
    portfolio: makePortfolio(runner),
  }
}
