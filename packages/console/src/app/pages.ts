import type { ComponentType } from 'react'
import type { SectionName } from '../manual/en.ts'
import type { Messages } from '../messages/en.ts'
import { type Match, matchPath, type PageProps } from '../session/match.ts'
import type { IconName } from '../ui/controls.tsx'

type PageName =
  | 'desk'
  | 'library'
  | 'library-item'
  | 'library-history'
  | 'library-preview'
  | 'library-translation'
  | 'library-proposal'
  | 'feed'
  | 'feed-item'
  | 'feed-history'
  | 'feed-preview'
  | 'feed-proposal'
  | 'proposals'
  | 'queue'
  | 'calendar'
  | 'results'
  | 'portfolio'
  | 'portfolio-load'
  | 'portfolio-organization'
  | 'notifications'
  | 'new-notification'
  | 'notification'
  | 'managers'
  | 'people'
  | 'person'
  | 'clients'
  | 'account'
  | 'shortcuts'
  | 'manual'
  | 'operations'
  | 'audit'

/** A page of the console. Its script is loaded when it is first opened. */
interface PageDefinition {
  readonly name: PageName
  /** The path; `:name` stands for one segment. Earlier pages of the list win. */
  readonly path: string
  /** The section of the manual that explains it. */
  readonly section: SectionName
  readonly load: () => Promise<ComponentType<PageProps>>
  /** The page stays mounted when only its parameters change. */
  readonly keepsState?: true
  /** Others get no data of it from the server, so the page says it at once. */
  readonly isForOperators?: true
}

/** All pages. A new page needs an entry here, and its path in the server's list. */
const PAGES: ReadonlyArray<PageDefinition> = [
  {
    name: 'desk',
    path: '/console',
    section: 'desk',
    load: async () => (await import('../operations/desk-page.tsx')).DeskPage,
  },
  {
    name: 'desk',
    path: '/console/desk',
    section: 'desk',
    load: async () => (await import('../operations/desk-page.tsx')).DeskPage,
  },
  {
    name: 'library',
    path: '/console/library',
    section: 'list',
    load: async () => (await import('../content/list/list-page.tsx')).LibraryPage,
  },
  {
    name: 'library-item',
    path: '/console/library/:id',
    section: 'editor',
    load: async () => (await import('../content/editor/editor-page.tsx')).LibraryItemPage,
    keepsState: true,
  },
  {
    name: 'feed',
    path: '/console/feed',
    section: 'list',
    load: async () => (await import('../content/list/list-page.tsx')).FeedPage,
  },
  {
    name: 'feed-item',
    path: '/console/feed/:id',
    section: 'editor',
    load: async () => (await import('../content/editor/editor-page.tsx')).FeedItemPage,
    keepsState: true,
  },
  {
    name: 'library-history',
    path: '/console/library/:id/history',
    section: 'history',
    load: async () => (await import('../content/history/history-page.tsx')).LibraryHistoryPage,
  },
  {
    name: 'library-preview',
    path: '/console/library/:id/preview',
    section: 'preview',
    load: async () => (await import('../content/preview/preview-page.tsx')).LibraryPreviewPage,
  },
  {
    name: 'library-translation',
    path: '/console/library/:id/translation',
    section: 'translation',
    load: async () => (await import('../content/translation/translation-page.tsx')).LibraryTranslationPage,
  },
  {
    name: 'library-proposal',
    path: '/console/library/:id/proposal',
    section: 'proposals',
    load: async () => (await import('../content/proposals/proposal-page.tsx')).LibraryProposalPage,
  },
  {
    name: 'feed-proposal',
    path: '/console/feed/:id/proposal',
    section: 'proposals',
    load: async () => (await import('../content/proposals/proposal-page.tsx')).FeedProposalPage,
  },
  {
    name: 'proposals',
    path: '/console/proposals',
    section: 'proposals',
    load: async () => (await import('../content/proposals/proposals-page.tsx')).ProposalsPage,
  },
  {
    name: 'feed-history',
    path: '/console/feed/:id/history',
    section: 'history',
    load: async () => (await import('../content/history/history-page.tsx')).FeedHistoryPage,
  },
  {
    name: 'feed-preview',
    path: '/console/feed/:id/preview',
    section: 'preview',
    load: async () => (await import('../content/preview/preview-page.tsx')).FeedPreviewPage,
  },
  {
    name: 'queue',
    path: '/console/queue',
    section: 'queue',
    load: async () => (await import('../content/queue/queue-page.tsx')).QueuePage,
  },
  {
    name: 'calendar',
    path: '/console/calendar',
    section: 'calendar',
    load: async () => (await import('../calendar/calendar-page.tsx')).CalendarPage,
    keepsState: true,
  },
  {
    name: 'results',
    path: '/console/results',
    section: 'results',
    load: async () => (await import('../results/results-page.tsx')).ResultsPage,
  },
  {
    name: 'portfolio',
    path: '/console/portfolio',
    section: 'portfolio',
    load: async () => (await import('../portfolio/portfolio-page.tsx')).PortfolioPage,
  },
  {
    name: 'portfolio-load',
    path: '/console/portfolio/load',
    section: 'portfolio-load',
    load: async () => (await import('../portfolio/load-page.tsx')).PortfolioLoadPage,
  },
  {
    name: 'portfolio-organization',
    path: '/console/portfolio/organizations/:id',
    section: 'portfolio',
    load: async () => (await import('../portfolio/organization-page.tsx')).PortfolioOrganizationPage,
  },
  {
    name: 'notifications',
    path: '/console/notifications',
    section: 'notifications',
    load: async () => (await import('../notifications/notifications-page.tsx')).NotificationsPage,
  },
  {
    name: 'new-notification',
    path: '/console/notifications/new',
    section: 'composer',
    load: async () => (await import('../notifications/new-notification-page.tsx')).NewNotificationPage,
  },
  {
    name: 'notification',
    path: '/console/notifications/:id',
    section: 'notifications',
    load: async () => (await import('../notifications/notification-page.tsx')).NotificationPage,
  },
  {
    name: 'managers',
    isForOperators: true,
    path: '/console/managers',
    section: 'managers',
    load: async () => (await import('../managers/managers-page.tsx')).ManagersPage,
  },
  {
    name: 'people',
    isForOperators: true,
    path: '/console/people',
    section: 'people',
    load: async () => (await import('../people/people-page.tsx')).PeoplePage,
  },
  {
    name: 'person',
    isForOperators: true,
    path: '/console/people/:number',
    section: 'people',
    load: async () => (await import('../people/person-page.tsx')).PersonPage,
  },
  {
    name: 'clients',
    isForOperators: true,
    path: '/console/clients',
    section: 'clients',
    load: async () => (await import('../access/clients-page.tsx')).ClientsPage,
  },
  {
    name: 'account',
    path: '/console/account',
    section: 'account',
    load: async () => (await import('../managers/account-page.tsx')).AccountPage,
  },
  {
    name: 'shortcuts',
    path: '/console/shortcuts',
    section: 'search',
    load: async () => (await import('./shortcuts-page.tsx')).ShortcutsPage,
  },
  {
    name: 'manual',
    path: '/console/manual',
    section: 'search',
    load: async () => (await import('../manual/manual.tsx')).ManualPage,
  },
  {
    name: 'operations',
    isForOperators: true,
    path: '/console/operations',
    section: 'operations',
    load: async () => (await import('../operations/operations-page.tsx')).OperationsPage,
  },
  {
    name: 'audit',
    isForOperators: true,
    path: '/console/audit',
    section: 'audit',
    load: async () => (await import('../operations/audit-page.tsx')).AuditPage,
  },
]

/** The pages of the navigation, in order. */
export const NAVIGATION: ReadonlyArray<{
  readonly name:
    | 'desk'
    | 'library'
    | 'feed'
    | 'queue'
    | 'proposals'
    | 'portfolio'
    | 'notifications'
    | 'calendar'
    | 'results'
  readonly href: string
  readonly icon: IconName
  /** Whether narrow screens leave it to the desk and the palette. */
  readonly isForWide?: true
}> = [
  { name: 'desk', href: '/console', icon: 'desk' },
  { name: 'library', href: '/console/library', icon: 'library' },
  { name: 'feed', href: '/console/feed', icon: 'feed' },
  { name: 'queue', href: '/console/queue', icon: 'queue' },
  { name: 'proposals', href: '/console/proposals', icon: 'pen', isForWide: true },
  { name: 'portfolio', href: '/console/portfolio', icon: 'portfolio' },
  { name: 'notifications', href: '/console/notifications', icon: 'bell' },
  { name: 'calendar', href: '/console/calendar', icon: 'calendar', isForWide: true },
  { name: 'results', href: '/console/results', icon: 'chart', isForWide: true },
]

/** The pages of the navigation of operators, in order. */
export const OPERATOR_NAVIGATION: ReadonlyArray<{
  readonly name: 'people' | 'clients' | 'managers' | 'operations' | 'audit'
  readonly href: string
  readonly icon: IconName
}> = [
  { name: 'people', href: '/console/people', icon: 'people' },
  { name: 'clients', href: '/console/clients', icon: 'key' },
  { name: 'managers', href: '/console/managers', icon: 'person' },
  { name: 'operations', href: '/console/operations', icon: 'hexagon' },
  { name: 'audit', href: '/console/audit', icon: 'history' },
]

/** Returns the page of a path with its parameters; undefined if there is none. */
export const pageOf = (path: string): Match<PageDefinition> | undefined => matchPath(PAGES, path)

/** Returns the title of a page for the tab of the browser, its history and screen readers. */
export const titleOf = (page: PageName | undefined, words: Messages): string => {
  const titles: Readonly<Record<PageName, string>> = {
    desk: words.navigation.desk,
    library: words.library.title,
    'library-item': words.library.edit,
    'library-history': words.history.title,
    'library-preview': words.preview.title,
    'library-translation': words.translation.title,
    'library-proposal': words.proposals.one,
    feed: words.feed.title,
    'feed-item': words.feed.edit,
    'feed-history': words.history.title,
    'feed-preview': words.preview.title,
    'feed-proposal': words.proposals.one,
    proposals: words.proposals.title,
    queue: words.queue.title,
    calendar: words.calendar.title,
    results: words.results.title,
    portfolio: words.portfolio.title,
    'portfolio-load': words.portfolioLoad.title,
    'portfolio-organization': words.portfolio.organization,
    notifications: words.notifications.title,
    'new-notification': words.composer.title,
    notification: words.notifications.one,
    managers: words.managers.title,
    people: words.people.title,
    person: words.person.title,
    clients: words.clients.title,
    account: words.account.title,
    shortcuts: words.shortcuts.title,
    manual: words.help.title,
    operations: words.operations.title,
    audit: words.audit.title,
  }
  return `${page === undefined ? words.notFound.title : titles[page]} · Almoner`
}
