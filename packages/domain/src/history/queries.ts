import * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import type { Action } from '../access/acts.ts'
import type { ItemId } from '../values/ids.ts'
import { integer, type Refined, refined } from '../values/refined.ts'
import { type Instant, instant } from '../values/time.ts'
import type { ContentType } from './record.ts'

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
