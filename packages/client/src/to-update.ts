import type { Asked, ElementOf, Operation } from './operations.ts'

/** A publication, as responses have it. */
export type LibraryItem = ElementOf<'/library/'>

/** A post, as responses have it. */
export type FeedItem = ElementOf<'/feed/'>

/** The body of an update of a publication. */
export type LibraryUpdate = Asked<Operation<'post', '/library/{itemId}'>>['body']

/** The body of an update of a post. */
export type FeedUpdate = Asked<Operation<'post', '/feed/{itemId}'>>['body']

/** The type of {@link toUpdate}: a publication or a post, and changes of its fields. */
export interface ToUpdate {
  (item: LibraryItem, changes: Partial<LibraryUpdate>): LibraryUpdate
  (item: FeedItem, changes: Partial<FeedUpdate>): FeedUpdate
}

const valuesOf = (item: LibraryItem | FeedItem) =>
  'itemType' in item
    ? { itemType: item.itemType, vlink: item.vlink }
    : { itemPublicationDate: item.itemPublicationDate }

/**
 * Returns the body of an update that changes some fields of an item and repeats the others. Images stay as the service has them (C6):
 * an update changes them only if `changes` names them, and removes one with `''`. Send it with `ifMatch`, so that it fails if the other
 * fields have changed since the item was read (C10).
 * @example await api.post('/feed/{itemId}', { path, body: toUpdate(item, { status: 'Live' }), ifMatch: etag })
 */
export const toUpdate: ToUpdate = (item: LibraryItem | FeedItem, changes: object): never => {
  const { isDonorRestricted, lang, itemTitle, itemDescription, link, status } = item
  const common = { isDonorRestricted, lang, itemTitle, itemDescription, link, status }
  return { ...common, ...valuesOf(item), ...changes } as never
}
