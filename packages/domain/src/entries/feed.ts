/**
 * The news feed: its types, rules, inputs and use cases.
 * @module @almoner/domain/feed
 */

export * from '../almoner/feed.ts'
export * from '../content/edits.ts'
export * from '../content/feed.ts'
export * from '../content/feed.ts'
export * from '../content/finding.ts'
export * from '../content/finding.ts'
export * from '../content/finding.ts'
export * from '../content/images.ts'
export * from '../content/images.ts'
export * from '../content/images.ts'
export * from '../content/include.ts'
export * from '../content/lists.ts'
export {
  Count,
  FINDING,
  type Finding,
  feedFilters,
  libraryFilters,
  RestrictedFilter,
} from '../content/lists.ts'
export * from '../content/model.ts'
export * from '../content/model.ts'
export * from '../content/model.ts'
export * from '../content/model.ts'
export * from '../content/rules.ts'
export * from '../content/writing.ts'
export { CONTENT_TYPES, type ContentType } from '../history/model.ts'
export * from '../media/model.ts'
export * from '../media/model.ts'
export * from '../media/model.ts'
export * from '../media/model.ts'
export * from '../media/ports.ts'
export * from '../people/preferences.ts'
export * from '../policy.ts'
