import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { ContentType } from '../history/model.ts'
import { isMediaName, type MediaName } from '../media/model.ts'
import type { Email } from '../values/addresses.ts'
import { fieldError, type ValidationFailed, validationFailed } from '../values/parameters.ts'
import { type Branded, isStorable, NOT_STORABLE, refined, TypedFields } from '../values/refined.ts'
import { type Instant, instant } from '../values/time.ts'

/** Returns the fields in a member that is their JSON text; none if it is not. */
const fieldsIn = (text = ''): TypedFields => E.getOrElse((): TypedFields => ({}))(TypedFields.decode(text))

/** Returns the fields of the version that a working copy began from, as far as its member `base` says them. */
export const baseOfCopy = (fields: TypedFields): TypedFields => fieldsIn(fields['base'])

/** Returns the JSON text of fields. Every store can hold it, because JSON escapes all that a store may refuse. */
export const writeFields = (fields: TypedFields): string => JSON.stringify(fields)

const MOST_TITLE = 200

/** Returns the title among fields, cut to 200 characters and without those that a store may refuse; empty if there is none. */
export const titleOf = (fields: TypedFields): string =>
  [...(fields['itemTitle'] ?? '').replaceAll('\u0000', '').toWellFormed()].slice(0, MOST_TITLE).join('')

const MOST_NAMED = 10

/**
 * Returns the stored images that fields name: those of a new item, which has no place for them yet. The member `images` is the JSON text of an
 * object of their names.
 */
export const copyImages = (fields: TypedFields): ReadonlyArray<MediaName> =>
  Object.values(fieldsIn(fields['images'])).filter(isMediaName).slice(0, MOST_NAMED)

/** The images that all working copies of a manager may hold: more than their fields can show at a time. */
export const MOST_COPY_IMAGES = 500

/**
 * The name of a working copy among those of its manager: the id of the item, `new-` and a UUID for an item that is not created yet,
 * `notification-` and the id of the publication that a notification is about, or `change-` and the id of a notification.
 */
export type CopyKey = Branded<string, 'CopyKey'>

const LONGEST_KEY = 200

/** Reads the key of a working copy: 1 to 200 characters. */
export const CopyKey = refined<CopyKey>(
  'CopyKey',
  (text) => {
    if (!isStorable(text)) return E.left(NOT_STORABLE)
    return text.length >= 1 && text.length <= LONGEST_KEY
      ? E.right(text as CopyKey)
      : E.left(`must have 1 to ${LONGEST_KEY} characters`)
  },
  {
    type: 'string',
    description:
      'Identifier of the item, `new-` and a UUID for a new item, or `notification-` and the identifier of a publication.',
    minLength: 1,
    maxLength: LONGEST_KEY,
  },
)

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

/** The moment of a working copy that its writer knows, if any. */
export type CopyVersion = O.Option<Instant>
/** Reads a {@link CopyVersion} as it was served; an empty text where the writer knows of none (M12). */
export const CopyVersion = refined<CopyVersion>(
  'CopyVersion',
  (text) => {
    if (text === '') return E.right(O.none)
    const moment = Date.parse(text)
    return Number.isNaN(moment)
      ? E.left('must be the updatedAt of a working copy, or empty')
      : E.right(O.some(instant(moment)))
  },
  {
    type: 'string',
    description: '`updatedAt` of the copy that is replaced, as it was served; empty for a first copy.',
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
  readonly fields: TypedFields
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
