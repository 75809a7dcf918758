import type { Email, Instant } from '@almoner/domain'
import type { ContentType } from '@almoner/domain/history'
import type { CopyKey } from '@almoner/domain/managers'
import type { MediaName } from '@almoner/domain/media'

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

/** An image that a working copy holds, which may not be stored yet (D5). */
export interface WorkingCopyImageRow {
  readonly email: Email
  readonly key: CopyKey
  readonly name: MediaName
  readonly added_at: Instant
}

/** The tables of working copies. */
export interface WorkingCopyTables {
  readonly working_copy: WorkingCopyRow
  readonly working_copy_image: WorkingCopyImageRow
}
