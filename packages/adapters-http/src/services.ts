import {
  makeAttachLabel,
  makeAuthenticate,
  makeCreateFeedItem,
  makeCreateLibraryItem,
  makeDetachLabel,
  makeIssueToken,
  makeListFeedItems,
  makeListLabels,
  makeListLibraryItems,
  makeRemoveFeedImage,
  makeRemoveLibraryImage,
  makeRevokeToken,
  makeUpdateFeedItem,
  makeUpdateLibraryItem,
  makeUploadFeedImage,
  makeUploadLibraryImage,
  type Policy,
  type Ports,
} from '@almoner/domain'

/** Every use case that a route may call, bound to one set of ports. */
export const makeServices = (ports: Ports, policy: Policy) => ({
  authenticate: makeAuthenticate(ports),
  issueToken: makeIssueToken(ports, policy),
  revokeToken: makeRevokeToken(ports),
  listLibraryItems: makeListLibraryItems(ports, policy),
  createLibraryItem: makeCreateLibraryItem(ports),
  updateLibraryItem: makeUpdateLibraryItem(ports, policy),
  uploadLibraryImage: makeUploadLibraryImage(ports),
  removeLibraryImage: makeRemoveLibraryImage(ports),
  listFeedItems: makeListFeedItems(ports, policy),
  createFeedItem: makeCreateFeedItem(ports),
  updateFeedItem: makeUpdateFeedItem(ports),
  uploadFeedImage: makeUploadFeedImage(ports, policy),
  removeFeedImage: makeRemoveFeedImage(ports),
  listLabels: makeListLabels(ports, policy),
  attachLabel: makeAttachLabel(ports),
  detachLabel: makeDetachLabel(ports),
  addresses: ports.mediaAddresses,
  clock: ports.clock,
})

export type Services = ReturnType<typeof makeServices>
