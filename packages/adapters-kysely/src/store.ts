import type { Ports } from '@almoner/domain'
import type { Database } from './database/database.ts'
import { makeAccessTokens } from './repositories/clients/access-tokens.ts'
import { makeClients } from './repositories/clients/clients.ts'
import { makeDeliveries } from './repositories/deliveries/deliveries.ts'
import { makeProviders } from './repositories/deliveries/providers.ts'
import { makeRetention } from './repositories/deliveries/retention.ts'
import { makeDeadDevices } from './repositories/devices/dead-devices.ts'
import { makeDevices } from './repositories/devices/devices.ts'
import { makeHistory } from './repositories/history/history.ts'
import { makeIdempotencyKeys } from './repositories/idempotency-keys.ts'
import { makeFeedAuthors } from './repositories/items/feed-authors.ts'
import { feedTable } from './repositories/items/feed-table.ts'
import { makeItemStore } from './repositories/items/item-store.ts'
import { makeKnownImages } from './repositories/items/known-images.ts'
import { libraryTable } from './repositories/items/library-table.ts'
import { makeTranslations } from './repositories/items/translations.ts'
import { makeLabels } from './repositories/labels.ts'
import { makeIdentities } from './repositories/managers/identities.ts'
import { makeManagers } from './repositories/managers/managers.ts'
import { makeOneTimeSecrets } from './repositories/managers/one-time-secrets.ts'
import { makePasskeys } from './repositories/managers/passkeys.ts'
import { makePasswords } from './repositories/managers/passwords.ts'
import { makeSessions } from './repositories/managers/sessions.ts'
import { makeWorkingCopies } from './repositories/managers/working-copies.ts'
import { makeNodes } from './repositories/nodes.ts'
import { makeNotifications } from './repositories/notifications/notifications.ts'
import { makePersonalData } from './repositories/personal-data/personal-data.ts'
import { makePortfolio } from './repositories/portfolio/portfolio.ts'
import { makeStatistics } from './repositories/statistics.ts'
import { makeStorageIdentity } from './repositories/storage-identity.ts'
import { makeUsers } from './repositories/users/users.ts'

/** The ports that a database stands behind. */
export type Store = Pick<
  Ports,
  | 'libraryItems'
  | 'feedItems'
  | 'feedAuthors'
  | 'history'
  | 'labels'
  | 'translations'
  | 'clients'
  | 'accessTokens'
  | 'managers'
  | 'sessions'
  | 'oneTimeSecrets'
  | 'passkeys'
  | 'identities'
  | 'passwords'
  | 'workingCopies'
  | 'idempotencyKeys'
  | 'knownImages'
  | 'users'
  | 'devices'
  | 'deadDevices'
  | 'personalData'
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
  return {
    libraryItems: makeItemStore(database, libraryTable),
    feedItems: makeItemStore(database, feedTable),
    feedAuthors: makeFeedAuthors(database),
    history: makeHistory(database),
    labels: makeLabels(database),
    translations: makeTranslations(database),
    clients: makeClients(database),
    accessTokens: makeAccessTokens(database),
    managers: makeManagers(database),
    sessions: makeSessions(database),
    oneTimeSecrets: makeOneTimeSecrets(database),
    passkeys: makePasskeys(database),
    identities: makeIdentities(database),
    passwords: makePasswords(database),
    workingCopies: makeWorkingCopies(database),
    idempotencyKeys: makeIdempotencyKeys(database),
    knownImages: makeKnownImages(database),
    users: makeUsers(database),
    devices: makeDevices(database),
    personalData: makePersonalData(database),
    deadDevices: makeDeadDevices(database),
    providers: makeProviders(database),
    nodes: makeNodes(database),
    statistics: makeStatistics(database),
    storageIdentity: makeStorageIdentity(database),
    notifications: makeNotifications(database),
    deliveries: makeDeliveries(database),
    retention: makeRetention(database),
    portfolio: makePortfolio(database),
  }
}
