import * as E from 'fp-ts/lib/Either.js'
import type { ContentType } from '../history/model.ts'
import type { Email } from '../values/addresses.ts'
import { fieldError, type ValidationFailed, validationFailed } from '../values/parameters.ts'
import { isStorable, NOT_STORABLE, refined } from '../values/refined.ts'
import type { Instant } from '../values/time.ts'
import type { CopyFields } from './copy-fields.ts'
import type { CopyKey } from './copy-key.ts'

const MAX_ETAG = 300

/** Reads the ETag of the item that a working copy began from, as it was served; empty for a new item. */
export const BaseETag = refined<string>(
  'BaseETag',
  (text) => {
    if (!isStorable(text)) return E.left(NOT_STORABLE)
    return text.length <= MAX_ETAG ? E.right(text) : E.left(`must have at most ${MAX_ETAG} characters`)
  },
  {
    type: 'string',
    description: 'ETag of the item when the copy began; empty for a new item.',
    maxLength: MAX_ETAG,
    emptyHasMeaning: true,
  },
)

/** What a manager has typed into an editor and not saved yet (M7). It belongs to the manager, and readers never see it. */
export interface WorkingCopy {
  /** The manager. */
  readonly email: Email
  readonly key: CopyKey
  readonly contentType: ContentType
  /** The ETag of the item when the copy began; empty for a new item. */
  readonly baseETag: string
  readonly fields: CopyFields
  readonly updatedAt: Instant
}

/** A working copy in a list: its title in the place of its fields. */
export interface CopySummary extends Omit<WorkingCopy, 'fields'> {
  readonly title: string
}

/** The manager has no working copy with this key. */
export interface CopyNotFound {
  readonly _tag: 'CopyNotFound'
}

/** The one {@link CopyNotFound}. */
export const COPY_NOT_FOUND: CopyNotFound = { _tag: 'CopyNotFound' }

/** The working copies that a manager may have (M7). */
export const MOST_COPIES = 200

/** Returns the failure of a manager who has {@link MOST_COPIES} already. */
export const tooManyCopies = (): ValidationFailed =>
  validationFailed([fieldError('key', `must be one of at most ${MOST_COPIES} copies: delete some first`)])

/** Days for which a working copy is stored after its last change (M7). */
export const COPY_DAYS = 90
