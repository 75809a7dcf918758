import type { Email, Instant } from '@almoner/domain'
import type { ContentType } from '@almoner/domain/history'
import type { CopyKey } from '@almoner/domain/managers'

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
