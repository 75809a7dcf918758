/**
 * Pushes: their texts, their time and their language.
 * @module @almoner/domain/notifications
 */

export * from './announcements.ts'
export * from './links.ts'
export * from './model.ts'
export {
  DRAFT_FIELDS,
  type DraftPreview,
  draftMessage,
  makeFurtherPayloadErrors,
  makePreviewDraft,
  makePreviewNotification,
  notificationOf,
  type Preview,
  PreviewDraft,
  sizesOf,
  type Topic,
  topicOf,
} from './previews.ts'
export * from './push.ts'
export * from './use-cases.ts'
export * from './writing.ts'
