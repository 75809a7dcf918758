/**
 * Publications: their types, rules, inputs and use cases; labels; the images and the sweep of both content types.
 * @module @almoner/domain/library
 */

export * from '../almoner/labels.ts'
export * from '../almoner/library.ts'
export * from '../content/edits.ts'
export * from '../content/finding.ts'
export * from '../content/finding.ts'
export * from '../content/finding.ts'
export * from '../content/images.ts'
export * from '../content/images.ts'
export * from '../content/images.ts'
export * from '../content/include.ts'
export * from '../content/labels.ts'
export * from '../content/labels.ts'
export * from '../content/labels.ts'
export * from '../content/labels.ts'
export * from '../content/library.ts'
export * from '../content/library.ts'
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
export * from '../content/model.ts'
export * from '../content/model.ts'
export * from '../content/rules.ts'
export * from '../content/rules.ts'
export * from '../content/translations.ts'
export * from '../content/translations.ts'
export * from '../content/translations.ts'
export * from '../content/writing.ts'
export { discard } from '../content/writing.ts'
export { CONTENT_TYPES, type ContentType } from '../history/model.ts'
export * from '../media/model.ts'
export * from '../media/model.ts'
export * from '../media/model.ts'
export * from '../media/model.ts'
export * from '../media/model.ts'
export * from '../media/ports.ts'
export type { SweepPorts } from '../operations/sweep.ts'
export * from '../operations/sweep.ts'
export * from '../operations/sweep.ts'
export * from '../policy.ts'
export * from '../values/ports.ts'
