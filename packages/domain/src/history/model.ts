import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Act, Action, TimedAct } from '../access/acts.ts'
import type { Actor } from '../access/caller.ts'
import type { ItemId } from '../values/ids.ts'
import { integer, type Refined, refined } from '../values/refined.ts'
import { type Instant, instant } from '../values/time.ts'

/** The two collections of items. */
export const CONTENT_TYPES = ['library', 'feed'] as const
/** One of {@link CONTENT_TYPES}. */
export type ContentType = (typeof CONTENT_TYPES)[number]

/** What a cached response can be read from, and a write can change (I8). `images` are their sizes, `access` what each caller may do. */
export const DATA_AREAS = [
  ...CONTENT_TYPES,
  'labels',
  'images',
  'portfolio',
  'notifications',
  'people',
  'access',
] as const
/** One of {@link DATA_AREAS}. */
export type DataArea = (typeof DATA_AREAS)[number]

/** An area of the data, or one item. */
export type DataPart = DataArea | `${ContentType}/${ItemId}`

/** Names one item as a part of the data. */
export const itemPart = (contentType: ContentType, id: ItemId): DataPart => `${contentType}/${id}`

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

/** Whether an act can be taken back (M12): those of people in the console can, those of programs cannot. */
export const canBeUndone = (act: Pick<Act, 'actor'> | undefined): boolean => act?.actor.kind === 'person'

/** Returns the changes of something that is deleted as a whole, or is there again (C18, K1). */
export const wholeChanges = (fields: Fields, isThere: boolean): ReadonlyArray<FieldChange> =>
  Object.entries(fields).map(([field, value]) => ({
    field,
    before: isThere ? null : value,
    after: isThere ? value : null,
  }))

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

/** A thing with revisions: its number grows by one with each write. */
interface Revised {
  readonly id: ItemId
  readonly revision: number
  readonly updatedAt: Instant
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
 * @param remarks what else a record of a change says
 */
export const revisionOf = <Item extends Revised>(
  { contentType, fieldsOf }: ItemFields<Item>,
  before: Item | undefined,
  after: Item,
  { actor, action }: Act,
  remarks: ReadonlyArray<FieldChange> = [],
): O.Option<NewRevision> => {
  const state = fieldsOf(after)
  const changes = before && [...changesBetween(fieldsOf(before), state), ...remarks]
  if (changes?.length === 0) return O.none
  const subject = { kind: contentType, id: after.id }
  const number: O.Some<number> = { _tag: 'Some', value: after.revision }
  return O.some({ at: after.updatedAt, actor, action, subject, number, changes, state })
}

/** The greatest number that a revision can have. */
const LARGEST = 2147483647

/** The item whose revisions are listed. */
export interface RevisionQuery {
  readonly contentType: ContentType
  readonly itemId: ItemId
}

/** Selects audit records: in a span of time, of one actor, of one action, about one subject (K4). */
export interface AuditQuery {
  readonly since: O.Option<Instant>
  /** The last moment that counts. */
  readonly until: O.Option<Instant>
  readonly actor: O.Option<string>
  readonly action: O.Option<Action>
  readonly subject: O.Option<string>
}

/** The number of an item's revision, in a path (K2). */
export const RevisionNumber = integer('RevisionNumber', 0, LARGEST, 'Number of the revision.')

/** Reads the number of the revision after which a page of a history begins (C11). */
export const RevisionCursor: Refined<number> = refined(
  'RevisionCursor',
  (text) =>
    /^\d{1,10}$/.test(text)
      ? E.right(Number(text))
      : E.left('must come from the Link header of an earlier answer'),
  { type: 'string', description: 'Cursor of the page, from the `Link` header of the previous page.' },
)

/** The place of a record in the order of all: its time, and its number among all records. */
export interface AuditCursor {
  readonly at: Instant
  readonly id: number
}

const AUDIT_CURSOR = /^(\d{1,15})-(\d{1,15})$/

/** Writes a cursor of the audit as text. */
export const encodeAuditCursor = ({ at, id }: AuditCursor): string => `${at}-${id}`

/** Reads the place after which a page of the audit begins (C11). */
export const AuditCursor: Refined<AuditCursor> = refined(
  'AuditCursor',
  (text) => {
    const [, at, id] = AUDIT_CURSOR.exec(text) ?? []
    return at === undefined
      ? E.left('must come from the Link header of an earlier answer')
      : E.right({ at: instant(Number(at)), id: Number(id) })
  },
  { type: 'string', description: 'Cursor of the page, from the `Link` header of the previous page.' },
)
