import type { Email, Instant } from '@almoner/domain'
import type { CopyKey } from '@almoner/domain/desk'
import type { ContentType } from '@almoner/domain/library'

/** A working copy of a manager (M7). */
export interface WorkingCopyRow {
  readonly email: Email
  readonly key: CopyKey
  readonly content_type: ContentType
  readonly base_etag: string
  /** The title among the fields, so that lists need not read them. */
  readonly title: string
  /** JSON. */
  readonly fields: string
  readonly updated_at: Instant
}

/** The table of working copies. */
export interface WorkingCopyTables {
  readonly working_copy: WorkingCopyRow
}
