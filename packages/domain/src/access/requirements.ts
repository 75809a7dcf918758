import type { Role, Scope } from './scopes.ts'

/** What an operation asks of its caller. */
export interface Requirement {
  readonly scope: Scope
  /** The role that the caller needs besides the scope. Among managers a duty grants it (M2). */
  readonly role?: Role
  /** When a session needs a recent proof of presence (M10). Clients of the API never need one. */
  readonly presence?: 'always' | 'large-push'
}

/**
 * What each operation asks of its caller: the scope, as the interface's endpoint tables give it, the role, and the proof of presence (M10).
 * Use cases enforce it, and routes read it.
 */
export const REQUIREMENTS = {
  listLibraryItems: { scope: 'user' },
  createLibraryItem: { scope: 'content-manager' },
  updateLibraryItem: { scope: 'content-manager' },
  uploadLibraryImage: { scope: 'content-manager' },
  removeLibraryImage: { scope: 'content-manager' },
  linkTranslation: { scope: 'content-manager' },
  unlinkTranslation: { scope: 'content-manager' },
  listFeedItems: { scope: 'user' },
  includeAuthors: { scope: 'content-manager' },
  createFeedItem: { scope: 'user-donor' },
  updateFeedItem: { scope: 'content-manager' },
  uploadFeedImage: { scope: 'user' },
  removeFeedImage: { scope: 'content-manager' },
  listLabels: { scope: 'user' },
  attachLabel: { scope: 'content-manager' },
  detachLabel: { scope: 'content-manager' },
  actForUser: { scope: 'user-donor' },
  listDevices: { scope: 'user-donor', presence: 'always' },
  lookUpUsers: { scope: 'user-donor', role: 'user-manager' },
  exportUser: { scope: 'user-donor', role: 'user-manager', presence: 'always' },
  eraseUser: { scope: 'user-donor', role: 'user-manager', presence: 'always' },
  listClients: { scope: 'content-manager', role: 'super-admin' },
  manageClients: { scope: 'content-manager', role: 'super-admin', presence: 'always' },
  listRevisions: { scope: 'content-manager' },
  restoreLibraryRevision: { scope: 'content-manager' },
  restoreFeedRevision: { scope: 'content-manager' },
  listNotifications: { scope: 'content-manager' },
  draftNotification: { scope: 'content-manager' },
  createNotification: { scope: 'content-manager', presence: 'large-push' },
  removeNotification: { scope: 'content-manager' },
  listPeople: { scope: 'content-manager' },
  listManagers: { scope: 'content-manager', role: 'super-admin' },
  manageManagers: { scope: 'content-manager', role: 'super-admin', presence: 'always' },
  listIdentities: { scope: 'content-manager' },
  unlinkOwnIdentity: { scope: 'content-manager', presence: 'always' },
  unlinkIdentity: { scope: 'content-manager', role: 'super-admin', presence: 'always' },
  useOwnAccount: { scope: 'user' },
  changeOwnCredentials: { scope: 'user', presence: 'always' },
  showDesk: { scope: 'content-manager' },
  showReaders: { scope: 'content-manager' },
  workOnCopies: { scope: 'content-manager' },
  operate: { scope: 'content-manager', role: 'super-admin' },
  resumeProvider: { scope: 'content-manager', role: 'super-admin', presence: 'always' },
  reportDelivery: { scope: 'content-manager' },
  showPortfolio: { scope: 'user' },
  listSectors: { scope: 'user' },
  listOrganizations: { scope: 'user' },
  listOrganizationSectors: { scope: 'user' },
  listIntroductions: { scope: 'user' },
  listSummaries: { scope: 'user' },
  listPrograms: { scope: 'user' },
  listChallenges: { scope: 'user' },
  listDatasets: { scope: 'user' },
  listTextFindings: { scope: 'content-manager' },
  reviewPortfolio: { scope: 'content-manager' },
  replacePortfolio: { scope: 'content-manager', presence: 'always' },
} as const satisfies Readonly<Record<string, Requirement>>

/** The name of an operation that asks something of its caller. */
export type Operation = keyof typeof REQUIREMENTS
