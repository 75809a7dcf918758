import type { ContentType, ItemCore, Policy, Ports } from '@almoner/domain'
import * as domain from '@almoner/domain'
import { makeOnce, type Once } from './idempotency/idempotency.ts'

/** An item as JSON. */
export interface RenderedItem {
  readonly text: string
  /** The same as bytes after a comma, as collections are made of. */
  readonly bytes: Buffer
}

/** The use cases that routes call. Each is named, as a declaration that repeats their types names modules that cannot be resolved. */
export interface Services {
  readonly authenticate: ReturnType<typeof domain.makeAuthenticate>
  readonly issueToken: ReturnType<typeof domain.makeIssueToken>
  readonly revokeToken: ReturnType<typeof domain.makeRevokeToken>
  readonly listLibraryItems: ReturnType<typeof domain.makeListLibraryItems>
  readonly createLibraryItem: ReturnType<typeof domain.makeCreateLibraryItem>
  readonly updateLibraryItem: ReturnType<typeof domain.makeUpdateLibraryItem>
  readonly uploadLibraryImage: ReturnType<typeof domain.makeUploadLibraryImage>
  readonly removeLibraryImage: ReturnType<typeof domain.makeRemoveLibraryImage>
  readonly listFeedItems: ReturnType<typeof domain.makeListFeedItems>
  readonly createFeedItem: ReturnType<typeof domain.makeCreateFeedItem>
  readonly updateFeedItem: ReturnType<typeof domain.makeUpdateFeedItem>
  readonly uploadFeedImage: ReturnType<typeof domain.makeUploadFeedImage>
  readonly removeFeedImage: ReturnType<typeof domain.makeRemoveFeedImage>
  readonly listLabels: ReturnType<typeof domain.makeListLabels>
  readonly attachLabel: ReturnType<typeof domain.makeAttachLabel>
  readonly detachLabel: ReturnType<typeof domain.makeDetachLabel>
  readonly listDevices: ReturnType<typeof domain.makeListDevices>
  readonly attachDevice: ReturnType<typeof domain.makeAttachDevice>
  readonly furtherDeviceErrors: ReturnType<typeof domain.makeFurtherDeviceErrors>
  readonly detachDevice: ReturnType<typeof domain.makeDetachDevice>
  readonly getPreference: ReturnType<typeof domain.makeGetPreference>
  readonly setPreference: ReturnType<typeof domain.makeSetPreference>
  readonly eraseUser: ReturnType<typeof domain.makeEraseUser>
  readonly listOwnPosts: ReturnType<typeof domain.makeListOwnPosts>
  readonly furtherUserErrors: typeof domain.furtherUserErrors
  readonly listNotifications: ReturnType<typeof domain.makeListNotifications>
  readonly createNotification: ReturnType<typeof domain.makeCreateNotification>
  readonly furtherPayloadErrors: ReturnType<typeof domain.makeFurtherPayloadErrors>
  readonly removeNotification: ReturnType<typeof domain.makeRemoveNotification>
  readonly reportDelivery: ReturnType<typeof domain.makeReportDelivery>
  readonly addresses: Ports['mediaAddresses']
  readonly look: Policy['look']
  readonly showPortfolio: ReturnType<typeof domain.makeShowPortfolio>
  readonly listSectors: ReturnType<typeof domain.makeListSectors>
  readonly listOrganizations: ReturnType<typeof domain.makeListOrganizations>
  readonly furtherYearErrors: ReturnType<typeof domain.makeFurtherYearErrors>
  readonly listOrganizationSectors: ReturnType<typeof domain.makeListOrganizationSectors>
  readonly listIntroductions: ReturnType<typeof domain.makeListIntroductions>
  readonly listSummaries: ReturnType<typeof domain.makeListSummaries>
  readonly listPrograms: ReturnType<typeof domain.makeListPrograms>
  readonly listChallenges: ReturnType<typeof domain.makeListChallenges>
  readonly listDatasets: ReturnType<typeof domain.makeListDatasets>
  readonly once: Once
  readonly clock: Ports['clock']
  readonly timer: Ports['timer']
  /** Renders items with a cache. */
  readonly renderItems?: <A extends ItemCore>(
    contentType: ContentType,
    render: (item: A) => string,
  ) => (item: A) => RenderedItem
}

/** Every use case that a route may call, bound to one set of ports. */
export const makeServices = (ports: Ports, policy: Policy): Services => ({
  authenticate: domain.makeAuthenticate(ports),
  issueToken: domain.makeIssueToken(ports, policy),
  revokeToken: domain.makeRevokeToken(ports),
  listLibraryItems: domain.makeListLibraryItems(ports, policy),
  createLibraryItem: domain.makeCreateLibraryItem(ports),
  updateLibraryItem: domain.makeUpdateLibraryItem(ports, policy),
  uploadLibraryImage: domain.makeUploadLibraryImage(ports),
  removeLibraryImage: domain.makeRemoveLibraryImage(ports),
  listFeedItems: domain.makeListFeedItems(ports, policy),
  createFeedItem: domain.makeCreateFeedItem(ports),
  updateFeedItem: domain.makeUpdateFeedItem(ports),
  uploadFeedImage: domain.makeUploadFeedImage(ports, policy),
  removeFeedImage: domain.makeRemoveFeedImage(ports),
  listLabels: domain.makeListLabels(ports, policy),
  attachLabel: domain.makeAttachLabel(ports),
  detachLabel: domain.makeDetachLabel(ports),
  listDevices: domain.makeListDevices(ports),
  attachDevice: domain.makeAttachDevice(ports, policy),
  furtherDeviceErrors: domain.makeFurtherDeviceErrors(policy),
  detachDevice: domain.makeDetachDevice(ports),
  getPreference: domain.makeGetPreference(ports),
  setPreference: domain.makeSetPreference(ports),
  eraseUser: domain.makeEraseUser(ports),
  listOwnPosts: domain.makeListOwnPosts(ports),
  furtherUserErrors: domain.furtherUserErrors,
  listNotifications: domain.makeListNotifications(ports),
  createNotification: domain.makeCreateNotification(ports, policy),
  furtherPayloadErrors: domain.makeFurtherPayloadErrors(ports, policy),
  removeNotification: domain.makeRemoveNotification(ports),
  reportDelivery: domain.makeReportDelivery(ports),
  addresses: ports.mediaAddresses,
  look: policy.look,
  showPortfolio: domain.makeShowPortfolio(ports),
  listSectors: domain.makeListSectors(ports),
  listOrganizations: domain.makeListOrganizations(ports, policy),
  furtherYearErrors: domain.makeFurtherYearErrors(policy),
  listOrganizationSectors: domain.makeListOrganizationSectors(ports),
  listIntroductions: domain.makeListIntroductions(ports),
  listSummaries: domain.makeListSummaries(ports),
  listPrograms: domain.makeListPrograms(ports),
  listChallenges: domain.makeListChallenges(ports),
  listDatasets: domain.makeListDatasets(ports),
  once: makeOnce(ports),
  clock: ports.clock,
  timer: ports.timer,
})
