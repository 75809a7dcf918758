import { memoryFailedAttempts, NO_ID_TOKENS } from '@almoner/domain/access'
import {
  feedCursor,
  feedFields,
  libraryCursor,
  libraryFields,
  matchesFeed,
  matchesLibrary,
} from '@almoner/domain/content'
import { mediaAddressesBelow } from '@almoner/domain/media'
import type { Ports } from '@almoner/domain/ports'
import {
  memoryAccessTokens,
  memoryClients,
  memoryIdempotencyKeys,
  memoryPreviewTokens,
  plainSecrets,
} from './access.ts'
import { memoryChanges } from './changes.ts'
import { keepBase, memoryItems, memoryLabels, memoryTranslations } from './content.ts'
import { memoryIdentities, memoryPasskeys, memoryPasswords } from './credentials.ts'
import { memoryDeliveries } from './deliveries.ts'
import { memoryHistory } from './history.ts'
import { memoryInbox } from './inbox.ts'
import { memoryLinkChecker, memoryLinkFindings } from './links.ts'
import { memoryManagers, memoryOneTimeSecrets, memorySessions, memoryWaitingFeeds } from './managers.ts'
import {
  memoryKnownImages,
  memoryMediaStore,
  memoryPortfolioImages,
  memoryStorageIdentity,
  plainImageChecker,
  plainPortfolioImageChecker,
} from './media.ts'
import { memoryNotifications } from './notifications.ts'
import { memoryJobLeases, memoryNodeLog, memoryNodes, memoryStatistics } from './operations.ts'
import { memoryDeadDevices, memoryDevices, memoryFeedAuthors, memoryUsers } from './people.ts'
import { memoryPersonalData } from './personal-data.ts'
import { memoryPortfolio } from './portfolio.ts'
import { memoryProposals } from './proposals.ts'
import { memoryProviders, memoryPushGateway, memoryRetention } from './providers.ts'
import { memoryPublications } from './publications.ts'
import { newTables } from './tables.ts'
import { countingIds, evenRandom, runningClock, waitingTimer } from './values.ts'
import { memoryWorkingCopies } from './working-copies.ts'

/** All ports that a database would implement. */
export type MemoryStore = Pick<
  Ports,
  | 'libraryItems'
  | 'feedItems'
  | 'feedAuthors'
  | 'proposals'
  | 'history'
  | 'changes'
  | 'labels'
  | 'translations'
  | 'linkFindings'
  | 'clients'
  | 'accessTokens'
  | 'managers'
  | 'sessions'
  | 'oneTimeSecrets'
  | 'passkeys'
  | 'identities'
  | 'passwords'
  | 'workingCopies'
  | 'waitingFeeds'
  | 'previewTokens'
  | 'idempotencyKeys'
  | 'knownImages'
  | 'users'
  | 'devices'
  | 'deadDevices'
  | 'personalData'
  | 'notifications'
  | 'providers'
  | 'nodes'
  | 'jobLeases'
  | 'failureLog'
  | 'requestLog'
  | 'statistics'
  | 'storageIdentity'
  | 'deliveries'
  | 'inbox'
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
      keepBase: (before, after) => keepBase(tables, before, after),
    }),
    feedItems: memoryItems(tables, {
      items: tables.feed,
      attached: tables.attached.feed,
      matches: matchesFeed,
      cursor: feedCursor,
      fields: { contentType: 'feed', fieldsOf: feedFields },
    }),
    feedAuthors: memoryFeedAuthors(tables),
    proposals: memoryProposals(tables),
    history: memoryHistory(tables),
    changes: memoryChanges(tables),
    labels: memoryLabels(tables),
    translations: { ...memoryTranslations(tables), ...memoryPublications(tables) },
    linkFindings: memoryLinkFindings(tables),
    clients: memoryClients(tables),
    accessTokens: memoryAccessTokens(tables),
    managers: memoryManagers(tables),
    sessions: memorySessions(tables),
    oneTimeSecrets: memoryOneTimeSecrets(tables),
    passkeys: memoryPasskeys(tables),
    identities: memoryIdentities(tables),
    passwords: memoryPasswords(tables),
    workingCopies: memoryWorkingCopies(tables),
    waitingFeeds: memoryWaitingFeeds(tables),
    previewTokens: memoryPreviewTokens(tables),
    idempotencyKeys: memoryIdempotencyKeys(tables),
    knownImages: memoryKnownImages(tables),
    users: memoryUsers(tables),
    portfolio: memoryPortfolio(tables),
    devices: memoryDevices(tables),
    personalData: memoryPersonalData(tables),
    deadDevices: memoryDeadDevices(tables),
    providers: memoryProviders(tables),
    nodes: memoryNodes(tables),
    jobLeases: memoryJobLeases(tables),
    failureLog: memoryNodeLog(tables.failureLog, ({ node, number }) => `${node} ${number}`),
    requestLog: memoryNodeLog(tables.requestLog, ({ node, key }) => `${node} ${key}`),
    statistics: memoryStatistics(tables),
    storageIdentity: memoryStorageIdentity(tables),
    notifications: memoryNotifications(tables),
    deliveries: memoryDeliveries(tables),
    inbox: memoryInbox(tables),
    retention: memoryRetention(tables),
  }
}

/**
 * Returns all ports, in memory and on the system's clock, so that a service runs before it has a database. Secrets can be guessed, images
 * are not decoded, and pushes go nowhere. Replace these before users call the service:
 * `memoryPorts({ secrets: nodeSecrets(), imageChecker: sharpImageChecker() })`.
 * @param replaced adapters to use instead, such as a clock that a test sets
 */
export const memoryPorts = (replaced: Partial<Ports> = {}): Ports => {
  const { clock = runningClock } = replaced
  return {
    ...memoryStore(),
    clock,
    timer: waitingTimer,
    ids: countingIds(),
    secrets: plainSecrets(),
    failedAttempts: memoryFailedAttempts(),
    idTokens: NO_ID_TOKENS,
    mediaStore: memoryMediaStore(clock),
    mediaAddresses: mediaAddressesBelow('http://localhost'),
    imageChecker: plainImageChecker,
    linkChecker: memoryLinkChecker(),
    pushGateway: memoryPushGateway(),
    random: evenRandom,
    portfolioImages: memoryPortfolioImages(clock),
    portfolioImageChecker: plainPortfolioImageChecker,
    ...replaced,
  }
}
