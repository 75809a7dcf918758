import type { Ports } from '@almoner/domain'
import type { Database } from './database/database.ts'
import { makeRunner } from './database/runner.ts'
import { makeAccessTokens } from './repositories/clients/access-tokens.ts'
import { makeClients } from './repositories/clients/clients.ts'
import { makeDeliveries } from './repositories/deliveries/deliveries.ts'
import { makeProviders } from './repositories/deliveries/providers.ts'
import { makeRetention } from './repositories/deliveries/retention.ts'
import { makeDeadDevices } from './repositories/devices/dead-devices.ts'
import { makeDevices } from './repositories/devices/devices.ts'
import { makeIdempotencyKeys } from './repositories/idempotency/idempotency-keys.ts'
import { feedTable } from './repositories/items/feed-table.ts'
import { makeItemStore } from './repositories/items/item-store.ts'
import { makeKnownImages } from './repositories/items/known-images.ts'
import { libraryTable } from './repositories/items/library-table.ts'
import { makeLabels } from './repositories/labels/labels.ts'
import { makeNodes } from './repositories/nodes.ts'
import { makeNotifications } from './repositories/notifications/notifications.ts'
import { makePortfolio } from './repositories/portfolio/portfolio.ts'
import { makeStatistics } from './repositories/statistics/statistics.ts'
import { makeStorageIdentity } from './repositories/storage-identity.ts'
import { makeUsers } from './repositories/users/users.ts'

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
export const makeStore = (database: Database): Store => {
  const runner = makeRunner(database)
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
