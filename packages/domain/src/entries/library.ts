/**
 * Publications: their types, rules, inputs and use cases; labels; the images and the sweep of both content types.
 * @module @almoner/domain/library
 */

export * from '../almoner/labels.ts'
export * from '../almoner/library.ts'
export { CONTENT_TYPES, type ContentType } from '../history/model.ts'
export * from '../items/author.ts'
export * from '../items/counterparts.ts'
export * from '../items/donor-restricted.ts'
export * from '../items/filters.ts'
export * from '../items/item.ts'
export * from '../items/library-edits.ts'
export * from '../items/library-item.ts'
export * from '../items/matching.ts'
export * from '../items/publication.ts'
export * from '../items/queries.ts'
export * from '../items/visibility.ts'
export * from '../labels/label.ts'
export * from '../media/model.ts'
export * from '../media/model.ts'
export * from '../media/model.ts'
export * from '../media/model.ts'
export * from '../media/model.ts'
export * from '../media/ports.ts'
export { discard } from '../use-cases/change-item.ts'
export * from '../use-cases/failures.ts'
export * from '../use-cases/include.ts'
export * from '../use-cases/labels/attach-label.ts'
export * from '../use-cases/labels/detach-label.ts'
export * from '../use-cases/labels/list-labels.ts'
export * from '../use-cases/labels/load-labels.ts'
export * from '../use-cases/library/create-library-item.ts'
export * from '../use-cases/library/images.ts'
export * from '../use-cases/library/list-library-items.ts'
export * from '../use-cases/library/remove-library-image.ts'
export * from '../use-cases/library/update-library-item.ts'
export * from '../use-cases/library/upload-library-image.ts'
export {
  Count,
  FINDING,
  type Finding,
  feedFilters,
  libraryFilters,
  RestrictedFilter,
} from '../use-cases/list-items.ts'
export * from '../use-cases/maintenance/sweep-images.ts'
export type { SweepPorts } from '../use-cases/maintenance/swept-images.ts'
export * from '../use-cases/maintenance/verify-storage.ts'
export * from '../use-cases/policy.ts'
export * from '../use-cases/translations/check-translations.ts'
export * from '../use-cases/translations/link-translation.ts'
export * from '../use-cases/translations/unlink-translation.ts'
export * from '../values/ports.ts'
