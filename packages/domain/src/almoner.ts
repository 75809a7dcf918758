import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Caller, InsufficientScope } from './access/caller.ts'
import * as access from './access/index.ts'
import * as changes from './changes/index.ts'
import * as content from './content/index.ts'
import * as delivery from './delivery/index.ts'
import * as history from './history/index.ts'
import type { ContentType } from './history/model.ts'
import * as managers from './managers/index.ts'
import type { ManagerPolicy } from './managers/ports.ts'
import * as notifications from './notifications/index.ts'
import * as operations from './operations/index.ts'
import type { Host } from './operations/model.ts'
import * as people from './people/index.ts'
import * as personalData from './personal-data/index.ts'
import * as portfolio from './portfolio/index.ts'
import { missingPorts, type Ports } from './ports.ts'
import { type Promised, promised } from './values/results.ts'
import type { Colour } from './values/text.ts'
import { UTC } from './values/time.ts'

/** What a deployment may decide for itself. */
export type Policy = ManagerPolicy

/** What holds where a deployment decides nothing. */
export const DEFAULT_POLICY: Policy = {
  timeZone: UTC,
  embargo: false,
  tokenTtl: 3600,
  idTokens: O.none,
  sessionIdle: 8 * 3600,
  sessionLife: 14 * 86_400,
  previewUrl: O.none,
  pushDefault: O.none,
  webPushHosts: people.BROWSER_PUSH_HOSTS,
  look: { iconUrl: O.none, color: '#1F4E79' as Colour },
  notificationLife: 86_400,
  deliveryDays: 90,
  notificationDays: O.none,
  historyDays: 730,
  joinedYears: { first: 2015, last: 2018 },
}

/**
 * Binds the use cases of all areas to ports and a policy. Their documentation is that of the functions that make them, so the reference leaves the
 * members of the areas out.
 */
const makeAreas = (ports: Ports, policy: Policy, host?: Host) => {
  const labelsOf = (contentType: ContentType) => ({
    list: content.makeListLabels(ports, policy)(contentType),
    attach: content.makeAttachLabel(ports)(contentType),
    detach: content.makeDetachLabel(ports)(contentType),
  })
  return {
    /** Publications. @hidden */
    library: {
      list: content.makeListLibraryItems(ports, policy),
      check: content.makeCheckLibraryItem(),
      create: content.makeCreateLibraryItem(ports),
      update: content.makeUpdateLibraryItem(ports, policy),
      uploadImage: content.makeUploadLibraryImage(ports),
      removeImage: content.makeRemoveLibraryImage(ports),
      placeImage: content.makePlaceLibraryImage(ports),
      linkTranslation: content.makeLinkTranslation(ports),
      unlinkTranslation: content.makeUnlinkTranslation(ports),
      checkTranslations: content.makeCheckTranslations(ports),
    },
    /** The news feed. @hidden */
    feed: {
      list: content.makeListFeedItems(ports, policy),
      ownPosts: people.makeListOwnPosts(ports),
      earlierPosts: people.makeListEarlierPosts(ports),
      check: content.makeCheckFeedItem(),
      create: content.makeCreateFeedItem(ports),
      update: content.makeUpdateFeedItem(ports),
      uploadImage: content.makeUploadFeedImage(ports, policy),
      removeImage: content.makeRemoveFeedImage(ports),
      placeImage: content.makePlaceFeedImage(ports),
    },
    /** Revisions of items. @hidden */
    history: {
      library: {
        list: history.makeListRevisions(ports, 'library'),
        restore: content.makeRestoreLibraryRevision(ports, policy),
        undo: content.makeUndoLibraryChange(ports, policy),
        delete: content.makeDeleteLibraryDraft(ports),
        undoDeletion: content.makeUndoLibraryDeletion(ports),
      },
      feed: {
        list: history.makeListRevisions(ports, 'feed'),
        restore: content.makeRestoreFeedRevision(ports),
        undo: content.makeUndoFeedChange(ports),
        delete: content.makeDeleteFeedDraft(ports),
        undoDeletion: content.makeUndoFeedDeletion(ports),
      },
    },
    /** Bilingual keywords of items. @hidden */
    labels: {
      library: labelsOf('library'),
      feed: labelsOf('feed'),
      load: content.makeLoadLabels(ports),
    },
    /** What apps that keep a copy have to change in it. @hidden */
    changes: {
      list: changes.makeListChanges(ports, policy),
      watch: changes.makeWatchChanges(ports, policy),
    },
    /** Languages and subscriptions of users. @hidden */
    users: {
      getPreference: people.makeGetPreference(ports),
      setPreference: people.makeSetPreference(ports),
      import: people.makeImportUsers(ports),
      erase: personalData.makeEraseUser(ports),
      find: personalData.makeFindPeople(ports),
      show: personalData.makeShowPerson(ports),
      export: personalData.makeExportPerson(ports),
      eraseByNumber: personalData.makeErasePerson(ports),
      listPosts: personalData.makeListPostsOfPerson(ports),
      listInbox: delivery.makeListInbox(ports, policy),
      markSeen: delivery.makeMarkSeen(ports, policy),
    },
    /** Phones and browsers of users. @hidden */
    devices: {
      list: people.makeListDevices(ports),
      attach: people.makeAttachDevice(ports, policy),
      detach: people.makeDetachDevice(ports, policy),
    },
    /** Scheduled push notifications. @hidden */
    notifications: {
      list: notifications.makeListNotifications(ports),
      schedule: notifications.makeCreateNotification(ports, policy),
      change: notifications.makeChangeNotification(ports, policy),
      remove: notifications.makeRemoveNotification(ports),
      reportDelivery: delivery.makeReportDelivery(ports),
      preview: notifications.makePreviewNotification(ports, policy),
      review: delivery.makeReview(ports, policy),
    },
    /** The organizations that the foundation supports. @hidden */
    portfolio: {
      show: portfolio.makeShowPortfolio(ports),
      organizations: portfolio.makeListOrganizations(ports, policy),
      sectors: portfolio.makeListSectors(ports),
      organizationSectors: portfolio.makeListOrganizationSectors(ports),
      introductions: portfolio.makeListIntroductions(ports),
      summaries: portfolio.makeListSummaries(ports),
      programs: portfolio.makeListPrograms(ports),
      challenges: portfolio.makeListChallenges(ports),
      datasets: portfolio.makeListDatasets(ports),
      plan: portfolio.makePlanPortfolio(ports),
      load: portfolio.makeLoadPortfolio(ports),
      checkTexts: portfolio.makeCheckTexts(ports),
      textFindings: portfolio.makeListTextFindings(ports),
      export: portfolio.makeExportPortfolio(ports),
      review: portfolio.makeReviewPortfolio(ports, policy),
      replace: portfolio.makeReplacePortfolio(ports),
    },
    /** OAuth clients and tokens. @hidden */
    access: {
      addClient: access.makeAddClient(ports),
      withdrawClient: access.makeWithdrawClient(ports),
      rotateSecret: access.makeRotateSecret(ports),
      listClients: access.makeListClients(ports),
      registerClient: access.makeRegisterClient(ports),
      rotateClient: access.makeRotateClient(ports),
      disableClient: access.makeDisableClient(ports),
      checkCredentials: access.makeCheckCredentials(ports),
      issueToken: access.makeIssueToken(ports, policy),
      exchangeToken: access.makeExchangeToken(ports, policy),
      authenticate: access.makeAuthenticate(ports),
      revokeToken: access.makeRevokeToken(ports),
    },
    /** Managers, and their way into the console. @hidden */
    console: {
      addManager: managers.makeAddManager(ports),
      createSignInLink: managers.makeCreateSignInLink(ports),
      signIn: managers.makeSignIn(ports, policy),
      findSession: managers.makeFindSession(ports, policy),
      signOut: managers.makeSignOut(ports),
      listCopies: managers.makeListCopies(ports),
      getCopy: managers.makeGetCopy(ports),
      putCopy: managers.makePutCopy(ports),
      deleteCopy: managers.makeDeleteCopy(ports),
      previewLibraryItem: managers.makeMakePreview(ports, policy, 'library'),
      previewFeedItem: managers.makeMakePreview(ports, policy, 'feed'),
      readPreview: managers.makeReadPreview(ports, policy),
      storeCopyImage: managers.makeStoreCopyImage(ports),
      listPeople: managers.makeListPeople(ports),
      showDesk: operations.makeShowDesk(ports, policy),
      listDeadLinks: content.makeListDeadLinks(ports),
      listOlder: content.makeListOlder(ports),
      listPublications: content.makeListPublications(ports),
      showPublished: operations.makeShowPublished(ports, policy),
      showResults: operations.makeShowResults(ports, policy),
      showLibraryReaders: operations.makeShowLibraryReaders(ports, policy),
      showFeedReaders: operations.makeShowFeedReaders(ports, policy),
      showSchedule: delivery.makeShowSchedule(ports, policy),
      showNotification: delivery.makeShowNotification(ports),
      withdrawNotification: notifications.makeWithdrawNotification(ports),
      previewDraft: notifications.makePreviewDraft(ports, policy),
      listTestDevices: delivery.makeListTestDevices(ports),
      sendTestPush: delivery.makeSendTestPush(ports, policy),
    },
    /** Rewrites of Live items that content managers share (C16). @hidden */
    proposals: {
      list: content.makeListProposals(ports),
      show: content.makeShowProposal(ports),
      propose: content.makeProposeChange(ports, policy),
      change: content.makeChangeProposal(ports, policy),
      storeImage: content.makeProposeImage(ports, policy),
      publish: content.makePublishProposal(ports, policy),
      discard: content.makeDiscardProposal(ports),
      undo: content.makeUndoProposal(ports),
    },
    /** Managers, as operators manage them, and sessions. @hidden */
    managers: {
      list: managers.makeListManagers(ports),
      invite: managers.makeInviteManager(ports),
      inviteAgain: managers.makeInviteAgain(ports),
      showLink: managers.makeShowLink(ports),
      setAccess: managers.makeSetManagerAccess(ports),
      removePassword: managers.makeRemoveManagerPassword(ports),
      listPasskeys: managers.makeListManagerPasskeys(ports),
      removePasskey: managers.makeRemoveManagerPasskey(ports),
      listSessions: managers.makeListManagerSessions(ports),
      endSessions: managers.makeEndManagerSessions(ports),
      listOwnSessions: managers.makeListOwnSessions(ports),
      endOtherSessions: managers.makeEndOtherSessions(ports),
      showWaitingFeed: operations.makeShowWaitingFeed(ports),
      makeWaitingFeed: operations.makeMakeWaitingFeed(ports),
      removeWaitingFeed: operations.makeRemoveWaitingFeed(ports),
      readWaitingFeed: operations.makeReadWaitingFeed(ports, policy),
    },
    /** What operators watch and do. @hidden */
    operations: {
      findings: operations.makeListFindings(ports, policy, host),
      providers: delivery.makeListProviders(ports),
      pauseProvider: delivery.makePauseProvider(ports, policy),
      resumeProvider: delivery.makeResumeProvider(ports, policy),
      statistics: operations.makeShowStatistics(ports, policy),
      figures: operations.makeShowFigures(ports, host),
      audit: history.makeListAudit(ports, policy),
      titles: operations.makeListTitles(ports),
    },
    /** Passkeys of managers. @hidden */
    passkeys: {
      list: managers.makeListPasskeys(ports),
      start: managers.makeStartPasskey(ports),
      add: managers.makeAddPasskey(ports),
      rename: managers.makeRenamePasskey(ports),
      remove: managers.makeRemovePasskey(ports),
      startSignIn: managers.makeStartPasskeySignIn(ports),
      signIn: managers.makeSignInByPasskey(ports, policy),
    },
    /** Accounts of an identity provider that sign managers in. @hidden */
    identities: {
      list: managers.makeListIdentities(ports),
      unlink: managers.makeUnlinkIdentity(ports),
      startSignIn: managers.makeStartProviderSignIn(ports),
      signIn: managers.makeSignInByProvider(ports, policy),
    },
    /** Passwords of managers. @hidden */
    passwords: {
      show: managers.makeShowPassword(ports),
      start: managers.makeStartPassword(ports),
      set: managers.makeSetPassword(ports),
      change: managers.makeChangePassword(ports),
      renewRecoveryCodes: managers.makeRenewRecoveryCodes(ports),
      remove: managers.makeRemovePassword(ports),
      signIn: managers.makeSignInByPassword(ports, policy),
    },
    /** Jobs of a store. @hidden */
    maintenance: {
      runSchedules: content.makeRunSchedules(ports),
      runProposals: content.makeRunProposals(ports, policy),
      purgeProposals: content.makePurgeProposals(ports),
      checkLinks: content.makeCheckLinks(ports, policy),
      listCheckedLinks: content.makeListCheckedLinks(ports),
      purgeDeletedDrafts: content.makePurgeDeletedDrafts(ports),
      purgeTokens: operations.makePurgeTokens(ports),
      purgeSessions: operations.makePurgeSessions(ports),
      purgeCopies: operations.makePurgeCopies(ports),
      purgeDeadDevices: operations.makePurgeDeadDevices(ports),
      purgeDeliveries: operations.makePurgeDeliveries(ports, policy),
      purgePreferences: operations.makePurgePreferences(ports, policy),
      purgeEndedNotifications: operations.makePurgeEndedNotifications(ports, policy),
      purgeHistory: operations.makePurgeHistory(ports, policy),
      sweepImages: operations.makeSweepImages(ports),
      countOrphans: operations.makeCountOrphans(ports),
      matchStorage: operations.makeMatchStorage(ports),
      adoptStorage: operations.makeAdoptStorage(ports),
    },
  }
}

/** All use cases by area. */
export type AlmonerAreas = ReturnType<typeof makeAreas>

/**
 * The whole domain on one set of ports. Members of the areas return a `TaskEither`, which does nothing until it is called:
 * `await almoner.feed.list(caller, {})()`. Members of `promises` run at once.
 */
export interface Almoner extends AlmonerAreas {
  /** The same areas with promises of plain results: `{ ok: true, value }` or `{ ok: false, error }`. */
  readonly promises: Promised<AlmonerAreas>
  /** The ports given. */
  readonly ports: Ports
  /** The policy in force. */
  readonly policy: Policy
}

/** The names of use cases that take a caller or a session, and never check what it may do: such a use case cannot fail for want of a scope. */
type Unchecked<Area> = {
  [Name in keyof Area]: Area[Name] extends (...given: infer Given) => TE.TaskEither<infer Failure, unknown>
    ? [Extract<Given[number], Caller | managers.ActiveSession>] extends [never]
      ? never
      : InsufficientScope extends Failure
        ? never
        : Name
    : Unchecked<Area[Name]>
}[keyof Area]

/** All areas, unless a use case does not check its caller: then nothing has this type, and the code does not compile (M10). */
type Checked<Areas> = [Unchecked<Areas>] extends [never] ? Areas : never

const checkPorts = (ports: Ports | undefined): void => {
  const missing = missingPorts(ports ?? {})
  if (missing.length === 0) return
  throw new TypeError(`createAlmoner: the ports lack ${missing.join(', ')}`)
}

/**
 * Binds all use cases to ports.
 *
 * ```ts
 * const almoner = createAlmoner(memoryPorts())
 * const posts = await almoner.promises.feed.list(callerWith('user'), { lim: 10 })
 * ```
 * @param ports all ports, for example `memoryPorts()` of `@almoner/testkit/memory`
 * @param policy settings that differ from {@link DEFAULT_POLICY}
 * @param host what the program knows of itself, for `operations`
 * @throws TypeError that names the ports that are missing
 */
export const createAlmoner = (ports: Ports, policy: Partial<Policy> = {}, host?: Host): Almoner => {
  checkPorts(ports)
  const full: Policy = { ...DEFAULT_POLICY, ...policy }
  const areas: Checked<AlmonerAreas> = makeAreas(ports, full, host)
  return { ...areas, promises: promised(areas), ports, policy: full }
}
