import type { Scope } from './scopes.ts'

/** The scope that each operation asks for, as the interface's endpoint tables give it. Use cases and routes read it. */
export const REQUIRED_SCOPES = {
  listLibraryItems: 'user',
  createLibraryItem: 'content-manager',
  updateLibraryItem: 'content-manager',
  uploadLibraryImage: 'content-manager',
  removeLibraryImage: 'content-manager',
  linkTranslation: 'content-manager',
  unlinkTranslation: 'content-manager',
  listFeedItems: 'user',
  includeAuthors: 'content-manager',
  createFeedItem: 'user-donor',
  updateFeedItem: 'content-manager',
  uploadFeedImage: 'user',
  removeFeedImage: 'content-manager',
  listLabels: 'user',
  attachLabel: 'content-manager',
  detachLabel: 'content-manager',
  actForUser: 'user-donor',
  listRevisions: 'content-manager',
  restoreLibraryRevision: 'content-manager',
  restoreFeedRevision: 'content-manager',
  listNotifications: 'content-manager',
  createNotification: 'content-manager',
  removeNotification: 'content-manager',
  showDesk: 'content-manager',
  showReaders: 'content-manager',
  workOnCopies: 'content-manager',
  reportDelivery: 'content-manager',
  showPortfolio: 'user',
  listSectors: 'user',
  listOrganizations: 'user',
  listOrganizationSectors: 'user',
  listIntroductions: 'user',
  listSummaries: 'user',
  listPrograms: 'user',
  listChallenges: 'user',
  listDatasets: 'user',
} as const satisfies Readonly<Record<string, Scope>>

/** The name of an operation that asks for a scope. */
export type Operation = keyof typeof REQUIRED_SCOPES
