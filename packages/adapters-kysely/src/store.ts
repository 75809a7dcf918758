import type { Ports } from '@almoner/domain'
import { makeClients } from './access/clients.ts'
import { makeFailureLog, makeRequestLog } from './access/failure-log.ts'
import { makeAccessTokens, makeIdempotencyKeys } from './access/tokens.ts'
import { makeChanges } from './content/changes.ts'
import { makeItemStore } from './content/item-store.ts'
import { makeLabels } from './content/labels.ts'
import { makeLinkFindings } from './content/link-findings.ts'
import { makeProposals } from './content/proposals.ts'
import { makePublications } from './content/publications.ts'
import { feedTable, libraryTable, makeFeedAuthors } from './content/tables.ts'
import { makeTranslations } from './content/translations.ts'
import type { Database } from './database/database.ts'
import { makeAnnouncements } from './delivery/announcements.ts'
import { makeDeliveries } from './delivery/deliveries.ts'
import { makeInbox } from './delivery/inbox.ts'
import { heldLabels, makeNotifications } from './delivery/notifications.ts'
import { makeProviders } from './delivery/origins.ts'
import { makeRetention } from './delivery/retention.ts'
import { makeHistory } from './history.ts'
import { makeIdentities, makePasskeys, makeWaitingFeeds } from './managers/credentials.ts'
import { isActorThere, makeManagers } from './managers/managers.ts'
import { makeOneTimeSecrets, makePasswords } from './managers/passwords.ts'
import { makePreviewTokens, makeSessions } from './managers/sessions.ts'
import { makeWorkingCopies } from './managers/working-copies.ts'
import { makeKnownImages, makeStorageIdentity } from './media.ts'
import { makeJobLeases, makeNodes, makeStatistics } from './operations.ts'
import { makeDeadDevices, makeDevices } from './people/devices.ts'
import { leaveTopics } from './people/topics.ts'
import { makeUsers } from './people/users.ts'
import { makePersonalData } from './personal-data/personal-data.ts'
import { makePortfolio } from './portfolio/portfolio.ts'

/** The ports that a database stands behind. */
export type Store = Pick<
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

/**
 * Every repository, on one engine whose schema is current.
 */
export const makeStore = (database: Database): Store => {
  const { shown = database } = database
  return {
    libraryItems: makeItemStore(shown, libraryTable),
    feedItems: makeItemStore(shown, feedTable),
    feedAuthors: makeFeedAuthors(database),
    proposals: makeProposals(database, isActorThere),
    history: makeHistory(shown),
    changes: makeChanges(database),
    labels: makeLabels(shown, { held: heldLabels, leave: leaveTopics }),
    translations: { ...makeTranslations(shown), ...makePublications(shown) },
    linkFindings: makeLinkFindings(database),
    clients: makeClients(database),
    accessTokens: makeAccessTokens(database),
    managers: makeManagers(database),
    sessions: makeSessions(database),
    oneTimeSecrets: makeOneTimeSecrets(database),
    passkeys: makePasskeys(database),
    identities: makeIdentities(database),
    passwords: makePasswords(database),
    workingCopies: makeWorkingCopies(database),
    waitingFeeds: makeWaitingFeeds(database),
    previewTokens: makePreviewTokens(database),
    idempotencyKeys: makeIdempotencyKeys(database),
    knownImages: makeKnownImages(shown),
    users: makeUsers(database),
    devices: makeDevices(database),
    personalData: makePersonalData(database),
    deadDevices: makeDeadDevices(database),
    providers: makeProviders(database),
    nodes: makeNodes(database),
    jobLeases: makeJobLeases(database),
    failureLog: makeFailureLog(database),
    requestLog: makeRequestLog(database),
    statistics: makeStatistics(database),
    storageIdentity: makeStorageIdentity(database),
    notifications: { ...makeNotifications(shown), ...makeAnnouncements(shown) },
    deliveries: makeDeliveries(database),
    inbox: makeInbox(database),
    retention: makeRetention(database),
    portfolio: makePortfolio(shown),
  }
}
