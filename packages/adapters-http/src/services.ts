import type { Policy, Ports } from '@almoner/domain'
import { makeAuthenticate, makeIssueToken, makeRevokeToken } from '@almoner/domain/access'
import {
  makeDeleteCopy,
  makeGetCopy,
  makeListCopies,
  makeListPeople,
  makePutCopy,
  makeShowDesk,
  makeShowFeedReaders,
  makeShowLibraryReaders,
} from '@almoner/domain/desk'
import {
  makeCreateFeedItem,
  makeListFeedItems,
  makeListOwnPosts,
  makeRemoveFeedImage,
  makeUpdateFeedItem,
  makeUploadFeedImage,
} from '@almoner/domain/feed'
import {
  makeListRevisions,
  makeRestoreFeedRevision,
  makeRestoreLibraryRevision,
} from '@almoner/domain/history'
import {
  type ContentType,
  type ItemCore,
  makeAttachLabel,
  makeCreateLibraryItem,
  makeDetachLabel,
  makeLinkTranslation,
  makeListLabels,
  makeListLibraryItems,
  makeRemoveLibraryImage,
  makeUnlinkTranslation,
  makeUpdateLibraryItem,
  makeUploadLibraryImage,
} from '@almoner/domain/library'
import {
  furtherUserErrors,
  makeAttachDevice,
  makeCreateNotification,
  makeDetachDevice,
  makeEraseUser,
  makeFurtherDeviceErrors,
  makeFurtherPayloadErrors,
  makeGetPreference,
  makeListDevices,
  makeListNotifications,
  makeListTestDevices,
  makePreviewDraft,
  makeRemoveNotification,
  makeReportDelivery,
  makeSendTestPush,
  makeSetPreference,
  makeShowNotification,
  makeShowSchedule,
  makeWithdrawNotification,
} from '@almoner/domain/notifications'
import type { Host } from '@almoner/domain/operations'
import { makeOnce, type Once } from './idempotency/idempotency.ts'
import { makeOperatorServices, type OperatorServices } from './operator-services.ts'
import { makePortfolioServices, type PortfolioServices } from './portfolio-services.ts'

/** An item as JSON. */
export interface RenderedItem {
  readonly text: string
  /** The same as bytes after a comma, as collections are made of. */
  readonly bytes: Buffer
}

/** The use cases that routes call. Each is named, as a declaration that repeats their types names modules that cannot be resolved. */
export interface Services extends OperatorServices, PortfolioServices {
  readonly authenticate: ReturnType<typeof makeAuthenticate>
  readonly issueToken: ReturnType<typeof makeIssueToken>
  readonly revokeToken: ReturnType<typeof makeRevokeToken>
  readonly listLibraryItems: ReturnType<typeof makeListLibraryItems>
  readonly createLibraryItem: ReturnType<typeof makeCreateLibraryItem>
  readonly updateLibraryItem: ReturnType<typeof makeUpdateLibraryItem>
  readonly uploadLibraryImage: ReturnType<typeof makeUploadLibraryImage>
  readonly removeLibraryImage: ReturnType<typeof makeRemoveLibraryImage>
  readonly linkTranslation: ReturnType<typeof makeLinkTranslation>
  readonly unlinkTranslation: ReturnType<typeof makeUnlinkTranslation>
  readonly listFeedItems: ReturnType<typeof makeListFeedItems>
  readonly createFeedItem: ReturnType<typeof makeCreateFeedItem>
  readonly updateFeedItem: ReturnType<typeof makeUpdateFeedItem>
  readonly uploadFeedImage: ReturnType<typeof makeUploadFeedImage>
  readonly removeFeedImage: ReturnType<typeof makeRemoveFeedImage>
  readonly listLibraryRevisions: ReturnType<typeof makeListRevisions>
  readonly listFeedRevisions: ReturnType<typeof makeListRevisions>
  readonly restoreLibraryRevision: ReturnType<typeof makeRestoreLibraryRevision>
  readonly restoreFeedRevision: ReturnType<typeof makeRestoreFeedRevision>
  readonly listLabels: ReturnType<typeof makeListLabels>
  readonly attachLabel: ReturnType<typeof makeAttachLabel>
  readonly detachLabel: ReturnType<typeof makeDetachLabel>
  readonly listDevices: ReturnType<typeof makeListDevices>
  readonly attachDevice: ReturnType<typeof makeAttachDevice>
  readonly furtherDeviceErrors: ReturnType<typeof makeFurtherDeviceErrors>
  readonly detachDevice: ReturnType<typeof makeDetachDevice>
  readonly getPreference: ReturnType<typeof makeGetPreference>
  readonly setPreference: ReturnType<typeof makeSetPreference>
  readonly eraseUser: ReturnType<typeof makeEraseUser>
  readonly listOwnPosts: ReturnType<typeof makeListOwnPosts>
  readonly furtherUserErrors: typeof furtherUserErrors
  readonly listNotifications: ReturnType<typeof makeListNotifications>
  readonly createNotification: ReturnType<typeof makeCreateNotification>
  readonly furtherPayloadErrors: ReturnType<typeof makeFurtherPayloadErrors>
  readonly removeNotification: ReturnType<typeof makeRemoveNotification>
  readonly reportDelivery: ReturnType<typeof makeReportDelivery>
  readonly addresses: Ports['mediaAddresses']
  readonly look: Policy['look']
  readonly listCopies: ReturnType<typeof makeListCopies>
  readonly getCopy: ReturnType<typeof makeGetCopy>
  readonly putCopy: ReturnType<typeof makePutCopy>
  readonly deleteCopy: ReturnType<typeof makeDeleteCopy>
  readonly listPeople: ReturnType<typeof makeListPeople>
  readonly showDesk: ReturnType<typeof makeShowDesk>
  readonly showLibraryReaders: ReturnType<typeof makeShowLibraryReaders>
  readonly showFeedReaders: ReturnType<typeof makeShowFeedReaders>
  readonly showSchedule: ReturnType<typeof makeShowSchedule>
  readonly showNotification: ReturnType<typeof makeShowNotification>
  readonly withdrawNotification: ReturnType<typeof makeWithdrawNotification>
  readonly previewDraft: ReturnType<typeof makePreviewDraft>
  readonly listTestDevices: ReturnType<typeof makeListTestDevices>
  readonly sendTestPush: ReturnType<typeof makeSendTestPush>
  readonly once: Once
  readonly clock: Ports['clock']
  readonly timer: Ports['timer']
  /** Renders items with a cache. */
  readonly renderItems?: <A extends ItemCore>(
    contentType: ContentType,
    render: (item: A) => string,
  ) => (item: A) => RenderedItem
}

/** Every use case that a route may call, bound to one set of ports. Operators see what the host knows of itself, if it is given. */
export const makeServices = (ports: Ports, policy: Policy, host?: Host): Services => ({
  authenticate: makeAuthenticate(ports),
  issueToken: makeIssueToken(ports, policy),
  revokeToken: makeRevokeToken(ports),
  listLibraryItems: makeListLibraryItems(ports, policy),
  createLibraryItem: makeCreateLibraryItem(ports),
  updateLibraryItem: makeUpdateLibraryItem(ports, policy),
  uploadLibraryImage: makeUploadLibraryImage(ports),
  removeLibraryImage: makeRemoveLibraryImage(ports),
  linkTranslation: makeLinkTranslation(ports),
  unlinkTranslation: makeUnlinkTranslation(ports),
  listFeedItems: makeListFeedItems(ports, policy),
  createFeedItem: makeCreateFeedItem(ports),
  updateFeedItem: makeUpdateFeedItem(ports),
  uploadFeedImage: makeUploadFeedImage(ports, policy),
  removeFeedImage: makeRemoveFeedImage(ports),
  listLibraryRevisions: makeListRevisions(ports, 'library'),
  listFeedRevisions: makeListRevisions(ports, 'feed'),
  restoreLibraryRevision: makeRestoreLibraryRevision(ports, policy),
  restoreFeedRevision: makeRestoreFeedRevision(ports),
  listLabels: makeListLabels(ports, policy),
  attachLabel: makeAttachLabel(ports),
  detachLabel: makeDetachLabel(ports),
  listDevices: makeListDevices(ports),
  attachDevice: makeAttachDevice(ports, policy),
  furtherDeviceErrors: makeFurtherDeviceErrors(policy),
  detachDevice: makeDetachDevice(ports),
  getPreference: makeGetPreference(ports),
  setPreference: makeSetPreference(ports),
  eraseUser: makeEraseUser(ports),
  listOwnPosts: makeListOwnPosts(ports),
  furtherUserErrors: furtherUserErrors,
  listNotifications: makeListNotifications(ports),
  createNotification: makeCreateNotification(ports, policy),
  furtherPayloadErrors: makeFurtherPayloadErrors(ports, policy),
  removeNotification: makeRemoveNotification(ports),
  reportDelivery: makeReportDelivery(ports),
  addresses: ports.mediaAddresses,
  look: policy.look,
  ...makePortfolioServices(ports, policy),
  listCopies: makeListCopies(ports),
  getCopy: makeGetCopy(ports),
  putCopy: makePutCopy(ports),
  deleteCopy: makeDeleteCopy(ports),
  listPeople: makeListPeople(ports),
  showDesk: makeShowDesk(ports, policy),
  showLibraryReaders: makeShowLibraryReaders(ports, policy),
  showFeedReaders: makeShowFeedReaders(ports, policy),
  ...makeOperatorServices(ports, policy, host),
  showSchedule: makeShowSchedule(ports, policy),
  showNotification: makeShowNotification(ports),
  withdrawNotification: makeWithdrawNotification(ports),
  previewDraft: makePreviewDraft(ports, policy),
  listTestDevices: makeListTestDevices(ports),
  sendTestPush: makeSendTestPush(ports, policy),
  once: makeOnce(ports),
  clock: ports.clock,
  timer: ports.timer,
})
