import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Actor } from '../access/caller.ts'
import type { FeedItem } from '../items/feed-item.ts'
import { type ImageRef, MEDIA_PATH, type MediaAddresses, type MediaName, stored } from '../items/image.ts'
import type { ContentType, ItemCore, Status } from '../items/item.ts'
import type { LibraryItem } from '../items/library-item.ts'
import type { Instant } from '../values/instant.ts'
import type { WebUrl } from '../values/web-url.ts'
import type { Act, Action, TimedAct } from './act.ts'

/** The fields of something as text, by the names of the interface; absent text is `""` (C2). */
export type Fields = Readonly<Record<string, string>>

/** A field that an act changed. `before` is null on creation, `after` where something was removed (K1, K2). */
export interface FieldChange {
  readonly field: string
  readonly before: string | null
  readonly after: string | null
}

/** Returns the fields that differ, in the order of `after`; all of them if there was nothing before (K1). */
export const changesBetween = (before: Fields | undefined, after: Fields): ReadonlyArray<FieldChange> =>
  Object.entries(after)
    .map(([field, value]) => ({ field, before: before?.[field] ?? null, after: value }))
    .filter((change) => change.before !== change.after)

/** A content type, and the fields of its items that the history compares (K1). */
export interface ItemFields<Item> {
  readonly contentType: ContentType
  /** Returns all fields of an item that can change, as text. */
  readonly fieldsOf: (item: Item) => Fields
}

/** The kinds of things that change. */
export const SUBJECT_KINDS = [
  'library',
  'feed',
  'labels',
  'user',
  'users',
  'manager',
  'notification',
  'client',
  'portfolio',
  'provider',
  'archive',
] as const
/** One of {@link SUBJECT_KINDS}. */
export type SubjectKind = (typeof SUBJECT_KINDS)[number]

/** What changed. The `id` of a user or a manager is a number (K1); a set that is loaded as a whole has none, which is `""`. */
export interface Subject {
  readonly kind: SubjectKind
  readonly id: string
}

/** One change: who did what to what, and when (K1). */
export interface AuditRecord {
  readonly at: Instant
  readonly actor: Actor
  readonly action: Action
  readonly subject: Subject
  /** The revision of an item that the change made; none where it made none, as attaching a label. */
  readonly number: O.Option<number>
  readonly changes: ReadonlyArray<FieldChange>
}

/** Returns the record of an act that made no revision (K1). */
export const recordOf = (
  { at, actor, action }: TimedAct,
  subject: Subject,
  changes: ReadonlyArray<FieldChange>,
): AuditRecord => ({ at, actor, action, subject, number: O.none, changes })

/** An audit record of a change that made a revision of an item (K2). */
export interface Revision extends AuditRecord {
  readonly number: O.Some<number>
}

/** A change of an item as it is stored: the record and the item's whole state after it (K3). */
export interface NewRevision extends Omit<Revision, 'changes'> {
  /** Undefined for a creation, whose changes follow from the state. */
  readonly changes: ReadonlyArray<FieldChange> | undefined
  readonly state: Fields
}

/** Returns the changes of a stored revision. */
export const changesOf = ({
  changes,
  state,
}: Pick<NewRevision, 'changes' | 'state'>): ReadonlyArray<FieldChange> =>
  changes ?? changesBetween(undefined, state)

/**
 * Returns the record of a write of an item, or none if no field changed: neither `updatedAt` nor the revision alone is a change (K1, K2).
 * @param before the item before the write; undefined for a new one
 */
export const revisionOf = <Item extends ItemCore>(
  { contentType, fieldsOf }: ItemFields<Item>,
  before: Item | undefined,
  after: Item,
  { actor, action }: Act,
): O.Option<NewRevision> => {
  const state = fieldsOf(after)
  const changes = before && changesBetween(fieldsOf(before), state)
  if (changes?.length === 0) return O.none
  const subject = { kind: contentType, id: after.id }
  const number: O.Some<number> = { _tag: 'Some', value: after.revision }
  return O.some({ at: after.updatedAt, actor, action, subject, number, changes, state })
}

/** The fields that hold an image: `itemRelatedLink` is the uploaded image of a post, the only name that the interface has for it. */
const IMAGE_FIELDS: ReadonlySet<string> = new Set(['coverImgUrl', 'notificationImgUrl', 'itemRelatedLink'])

const orEmpty = (text: O.Option<string>): string => O.getOrElse(() => '')(text)

/** The path of an image of ours, the address of any other (D3). */
const placeOf = (image: O.Option<ImageRef>): string =>
  pipe(
    image,
    O.map((ref) => (ref.kind === 'stored' ? `${MEDIA_PATH}${ref.name}` : ref.url)),
    orEmpty,
  )

const coreFields = (item: ItemCore & { readonly status: Status }) => ({
  isDonorRestricted: item.isDonorRestricted ? '1' : '0',
  lang: item.lang,
  itemTitle: item.title,
  itemDescription: item.description,
  status: item.status,
})

/** Returns a publication's fields without those that are derived, and without times. Stored images are paths (K2, D3). */
export const libraryFields = (item: LibraryItem): Fields => ({
  ...coreFields(item),
  link: item.link,
  itemPublicationDate: item.publicationDate,
  coverImgUrl: placeOf(item.images.cover),
  notificationImgUrl: placeOf(item.images.notification),
})

/** Returns a post's fields, as {@link libraryFields} does. */
export const feedFields = (item: FeedItem): Fields => ({
  ...coreFields(item),
  itemType: item.content.kind,
  link: orEmpty(item.content.link),
  vlink: orEmpty(item.content.vlink),
  itemRelatedLink: placeOf(O.map(stored)(item.content.image)),
})

/** Returns the stored image that a field's value names; none for other fields and other images. */
export const imageInField = (field: string, value: string | null): O.Option<MediaName> =>
  IMAGE_FIELDS.has(field) && value?.startsWith(MEDIA_PATH)
    ? O.some(value.slice(MEDIA_PATH.length) as MediaName)
    : O.none

/** Returns a field's value with the present address in place of the path of an image (D3). */
export const presentValue =
  (addresses: MediaAddresses) =>
  <V extends string | null>(field: string, value: V): V | WebUrl =>
    pipe(
      imageInField(field, value),
      O.match((): V | WebUrl => value, addresses.urlOf),
    )
