import {
  feedCursor,
  feedFields,
  libraryCursor,
  libraryFields,
  matchesFeed,
  matchesLibrary,
} from '@almoner/domain/content'
import type { Ports } from '@almoner/domain/ports'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { memoryAccessTokens } from './access-tokens.ts'
import { memoryClients } from './clients.ts'
import { memoryDeadDevices } from './dead-devices.ts'
import { memoryDeliveries } from './deliveries.ts'
import { memoryDevices } from './devices.ts'
import { memoryFeedAuthors } from './feed-authors.ts'
import { memoryHistory } from './history.ts'
import { memoryIdempotencyKeys } from './idempotency-keys.ts'
import { memoryIdentities } from './identities.ts'
import { memoryItems } from './items.ts'
import { memoryLabels } from './labels.ts'
import { memoryManagers, memorySessions } from './managers.ts'
import { memoryNodes } from './nodes.ts'
import { memoryNotifications } from './notifications.ts'
import { memoryOneTimeSecrets } from './one-time-secrets.ts'
import { memoryPasskeys } from './passkeys.ts'
import { memoryPasswords } from './passwords.ts'
import { memoryPersonalData } from './personal-data.ts'
import { memoryPortfolio } from './portfolio.ts'
import { memoryProviders } from './providers.ts'
import { memoryRetention } from './retention.ts'
import { memoryStatistics } from './statistics.ts'
import { memoryStorageIdentity } from './storage-identity.ts'
import { newTables } from './tables.ts'
import { memoryTranslations } from './translations.ts'
import { memoryUsers } from './users.ts'
import { memoryWorkingCopies } from './working-copies.ts'

/** All ports that a database would implement. */
export type MemoryStore = Pick<
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

/** A store in memory: the reference implementation with which other stores are compared. */
export const memoryStore = (): MemoryStore => {
  const tables = newTables()
  return {
    libraryItems: memoryItems(tables, {
      items: tables.library,
      attached: tables.attached.library,
      matches: matchesLibrary,
      cursor: libraryCursor,
      fields: { contentType: 'library', fieldsOf: libraryFields },
      hasCounterpart: (id) => tables.counterparts.has(id),
    }),
    feedItems: memoryItems(tables, {
      items: tables.feed,
      attached: tables.attached.feed,
      matches: matchesFeed,
      cursor: feedCursor,
      fields: { contentType: 'feed', fieldsOf: feedFields },
    }),
    feedAuthors: memoryFeedAuthors(tables),
    history: memoryHistory(tables),
    labels: memoryLabels(tables),
    translations: memoryTranslations(tables),
    clients: memoryClients(tables),
    accessTokens: memoryAccessTokens(tables),
    managers: memoryManagers(tables),
    sessions: memorySessions(tables),
    oneTimeSecrets: memoryOneTimeSecrets(tables),
    passkeys: memoryPasskeys(tables),
    identities: memoryIdentities(tables),
    passwords: memoryPasswords(tables),
    workingCopies: memoryWorkingCopies(tables),
    idempotencyKeys: memoryIdempotencyKeys(tables),
    knownImages: {
      isEmpty: () => TE.fromIO(() => tables.images.size === 0),
      among: (names) => TE.fromIO(() => new Set(names.filter((name) => tables.images.has(name)))),
    },
    users: memoryUsers(tables),
    portfolio: memoryPortfolio(tables),
    devices: memoryDevices(tables),
    personalData: memoryPersonalData(tables),
    deadDevices: memoryDeadDevices(tables),
    providers: memoryProviders(tables),
    nodes: memoryNodes(tables),
    statistics: memoryStatistics(tables),
    storageIdentity: memoryStorageIdentity(tables),
    notifications: memoryNotifications(tables),
    deliveries: memoryDeliveries(tables),
    retention: memoryRetention(tables),
  }
}
