import type { Act, TimedAct } from '@almoner/domain/access'
import type { ItemCore } from '@almoner/domain/content'
import {
  type AuditCursor,
  type AuditQuery,
  type AuditRecord,
  changesOf,
  type FieldChange,
  type ItemFields,
  type Revision,
  type RevisionQuery,
  recordOf,
  revisionOf,
  type Subject,
} from '@almoner/domain/history'
import type { History } from '@almoner/domain/ports'
import { type Email, type ItemId, listingOf } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { StoredRecord, Tables } from './tables.ts'
import { paginate } from './values.ts'

/** Stores a record with the next number. */
const store = (tables: Tables, record: Omit<StoredRecord, 'id'>): void => {
  tables.lastRecord += 1
  tables.audit.push({ ...record, id: tables.lastRecord })
}

/** Stores the record of a write of an item, if the write has an act and changes a field. */
export const recordRevision = <Item extends ItemCore>(
  tables: Tables,
  fields: ItemFields<Item>,
  before: Item | undefined,
  after: Item,
  act: Act | undefined,
  remarks?: ReadonlyArray<FieldChange>,
): void => {
  const record = act === undefined ? O.none : revisionOf(fields, before, after, act, remarks)
  if (O.isSome(record)) store(tables, { ...record.value, changes: changesOf(record.value) })
}

/** Stores the record of an act that made no revision, if there is an act. */
export const recordAct = (
  tables: Tables,
  act: TimedAct | undefined,
  subject: Subject,
  changes: ReadonlyArray<FieldChange> = [],
): void => {
  if (act !== undefined) store(tables, recordOf(act, subject, changes))
}

/** Returns the number of a person in records: a new one at the first use. */
export const numberIn = (tables: Tables, email: Email): number => {
  const { userNumbers } = tables
  const number = userNumbers.get(email)
  if (number !== undefined) return number
  tables.lastUserNumber += 1
  userNumbers.set(email, tables.lastUserNumber)
  return tables.lastUserNumber
}

/** As {@link recordAct}, about a person: the record has a number instead of the address (K1). */
export const recordUserAct = (
  tables: Tables,
  act: TimedAct | undefined,
  email: Email,
  changes: ReadonlyArray<FieldChange> = [],
  kind: 'user' | 'manager' = 'user',
): void => {
  if (act === undefined) return
  recordAct(tables, act, { kind, id: String(numberIn(tables, email)) }, changes)
}

const isOf =
  ({ contentType, itemId }: RevisionQuery) =>
  ({ subject, number }: AuditRecord): boolean =>
    O.isSome(number) && subject.kind === contentType && subject.id === itemId

const asRecord = ({ state: _state, id: _id, ...record }: StoredRecord): AuditRecord => record

const isOrAny = (wanted: O.Option<string>, value: string): boolean =>
  O.isNone(wanted) || wanted.value === value

const cursorOf = ({ at, id }: StoredRecord): AuditCursor => ({ at, id })

/** The order of the audit: the latest time first; of one time, the latest record. */
const latestFirst = (a: AuditCursor, b: AuditCursor): number => b.at - a.at || b.id - a.id

/** The history in memory: an array in the order in which the records were made. */
export const memoryHistory = ({ audit, bases, library, feed }: Tables): History => {
  const items = { library, feed }
  const newestFirst = () => [...audit].reverse()
  const matching = ({ since, until, actor, action, subject }: AuditQuery) =>
    audit
      .filter(
        (record) =>
          (O.isNone(since) || record.at >= since.value) &&
          (O.isNone(until) || record.at <= until.value) &&
          isOrAny(actor, record.actor.id) &&
          isOrAny(action, record.action) &&
          isOrAny(subject, record.subject.id),
      )
      .sort(latestFirst)
  const isLatest = (record: StoredRecord): boolean => {
    const { kind, id } = record.subject
    const isThere = (kind !== 'library' && kind !== 'feed') || items[kind].has(id as ItemId)
    return (
      isThere &&
      O.isSome(record.number) &&
      record === newestFirst().find(isOf({ contentType: kind, itemId: id } as RevisionQuery))
    )
  }
  const isBase = ({ subject, number }: StoredRecord): boolean =>
    O.isSome(number) && subject.kind === 'library' && bases.get(subject.id as ItemId) === number.value
  return {
    revisions: (query, window) =>
      TE.fromIO(() =>
        paginate(
          (items[query.contentType].has(query.itemId)
            ? newestFirst().filter(isOf(query)).map(asRecord)
            : []) as ReadonlyArray<Revision>,
          window,
          ({ number }) => number.value,
          (a, b) => b - a,
        ),
      ),
    stateAt: (query, wanted) =>
      TE.fromIO(() => {
        const found = audit.filter(isOf(query)).find(({ number }) => O.toNullable(number) === wanted)
        return O.fromNullable(found?.state)
      }),
    audit: (query, window) =>
      TE.fromIO(() => {
        const page = paginate(matching(query), window, cursorOf, latestFirst)
        return listingOf((page.loaded ?? []).map(asRecord), page.next)
      }),
    async *records(query) {
      const found = matching(query)
      if (found.length > 0) yield found.map(asRecord)
    },
    purge: (madeBy) => async () => {
      const stays = audit.filter((record) => record.at > madeBy || isLatest(record) || isBase(record))
      const purged = audit.length - stays.length
      audit.splice(0, audit.length, ...stays)
      return E.right(purged)
    },
  }
}

/** Removes what managers have written to the authors of these posts from the posts' history (L1, L3). */
export const deleteRecordedReasons = ({ audit }: Tables, posts: ReadonlySet<string>): void => {
  for (const [at, record] of audit.entries()) {
    const { subject, changes, state } = record
    if (subject.kind !== 'feed' || !posts.has(subject.id)) continue
    audit[at] = {
      ...record,
      changes: changes.filter(
        ({ field, before, after }) => field !== 'reason' || `${before ?? ''}${after}` === '',
      ),
      ...(state !== undefined && { state: { ...state, reason: '' } }),
    }
  }
}
