/**
 * Publications and posts: their fields, rules, inputs and use cases; labels and translations.
 * @module @almoner/domain/content
 */

export * from './checking.ts'
export { type LinksChecked, makeCheckLinks } from './checking-links.ts'
export * from './deleting.ts'
export * from './due-proposals.ts'
export * from './due-schedules.ts'
export * from './edits.ts'
export * from './fields.ts'
export * from './finding.ts'
export * from './images.ts'
export * from './include.ts'
export * from './labels.ts'
export {
  type CheckedLink,
  deadLinks,
  ListDeadLinks,
  linkCounter,
  makeListCheckedLinks,
  makeListDeadLinks,
} from './link-findings.ts'
export * from './links.ts'
export * from './listing-publications.ts'
export * from './lists.ts'
export * from './model.ts'
export * from './older.ts'
export * from './placing.ts'
export * from './proposal-kinds.ts'
export * from './proposals.ts'
export * from './proposing.ts'
export * from './publications.ts'
export * from './publishing-proposals.ts'
export * from './restoring.ts'
export * from './rules.ts'
export * from './schedules.ts'
export * from './translations.ts'
export {
  CreateFeedItem,
  CreateLibraryItem,
  discard,
  type EditPorts,
  type FeedEditPorts,
  makeCreateFeedItem,
  makeCreateLibraryItem,
  makeUpdateFeedItem,
  makeUpdateLibraryItem,
  type RemoveError,
  type UpdateError,
  type UploadError,
} from './writing.ts'
