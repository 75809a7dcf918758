/**
 * The news feed: its types, rules, inputs and use cases.
 * @module @almoner/domain/feed
 */

export * from '../almoner/feed.ts'
export { CONTENT_TYPES, type ContentType } from '../history/model.ts'
export * from '../items/author.ts'
export * from '../items/donor-restricted.ts'
export * from '../items/feed-edits.ts'
export * from '../items/feed-item.ts'
export * from '../items/feed-upload.ts'
export * from '../items/filters.ts'
export * from '../items/item.ts'
export * from '../items/matching.ts'
export * from '../items/queries.ts'
export * from '../items/visibility.ts'
export * from '../media/model.ts'
export * from '../media/model.ts'
export * from '../media/model.ts'
export * from '../media/model.ts'
export * from '../media/ports.ts'
export * from '../use-cases/failures.ts'
export * from '../use-cases/feed/create-feed-item.ts'
export * from '../use-cases/feed/list-feed-items.ts'
export * from '../use-cases/feed/list-own-posts.ts'
export * from '../use-cases/feed/remove-feed-image.ts'
export * from '../use-cases/feed/update-feed-item.ts'
export * from '../use-cases/feed/upload-feed-image.ts'
export * from '../use-cases/include.ts'
export {
  Count,
  FINDING,
  type Finding,
  feedFilters,
  libraryFilters,
  RestrictedFilter,
} from '../use-cases/list-items.ts'
export * from '../use-cases/policy.ts'
