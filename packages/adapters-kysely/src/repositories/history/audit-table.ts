import {
  type AuditCursor,
  type AuditQuery,
  type AuditRecord,
  changesOf,
  type FieldChange,
  type Fields,
  type Revision,
  type RevisionQuery,
} from '@almoner/domain/history'
import * as O from 'fp-ts/lib/Option.js'
import { condition } from '../../database/query.ts'
import type { AuditRow } from '../../schema/audit.table.ts'
import { allColumnsOf } from '../../schema/columns.ts'
import type { OrderedTable } from '../collections/ordered-table.ts'

/** A row as it is read. */
export type StoredAuditRow = Omit<AuditRow, 'id' | 'is_latest'> & { readonly id: number }

const COLUMNS = allColumnsOf<StoredAuditRow>({
  id: true,
  at: true,
  actor_kind: true,
  actor_id: true,
  action: true,
  subject_kind: true,
  subject_id: true,
  number: true,
  changes: true,
  state: true,
})

const changesIn = ({ changes, state }: StoredAuditRow): ReadonlyArray<FieldChange> =>
  changes === null
    ? changesOf({ changes: undefined, state: JSON.parse(state ?? '{}') as Fields })
    : (JSON.parse(changes) as ReadonlyArray<FieldChange>)

const recordOf = (row: StoredAuditRow): AuditRecord => ({
  at: row.at,
  actor: { kind: row.actor_kind, id: row.actor_id },
  action: row.action,
  subject: { kind: row.subject_kind, id: row.subject_id },
  number: O.fromNullable(row.number),
  changes: changesIn(row),
})

/** The revisions of an item, by their numbers. */
export const REVISIONS: OrderedTable<Revision, StoredAuditRow, RevisionQuery, number> = {
  table: 'audit_record',
  columns: COLUMNS,
  // The query's conditions leave only rows with a number.
  fromRow: (row) => recordOf(row) as Revision,
  cursorOf: ({ number }) => number.value,
  order: () => ({ columns: ['number'], direction: 'desc', cells: (number) => [number] }),
  conditions: ({ contentType, itemId }) => [
    condition('subject_id = ?', itemId),
    condition('number is not null'),
    condition('subject_kind = ?', contentType),
  ],
}

/** A record with its place in the order of all. */
export interface NumberedRecord {
  readonly id: number
  readonly record: AuditRecord
}

/** All records, the latest time first. A query by time, actor, action or subject has an index with this order. */
export const RECORDS: OrderedTable<NumberedRecord, StoredAuditRow, AuditQuery, AuditCursor> = {
  table: 'audit_record',
  columns: COLUMNS,
  fromRow: (row) => ({ id: row.id, record: recordOf(row) }),
  cursorOf: ({ id, record }) => ({ at: record.at, id }),
  order: () => ({
    columns: ['at', 'id'],
    direction: 'desc',
    cells: ({ at, id }) => [at, id],
  }),
  upperBound: ({ until }) => until,
  isFiltered: ({ actor, action, subject }) => [actor, action, subject].filter(O.isSome).length > 1,
  conditions: ({ since, actor, action, subject }) => {
    // A subject has few records, an actor or action may have most: the expression leaves the index of the subject alone.
    const unindexed = O.isSome(subject) ? ` || ''` : ''
    return [
      ...(O.isSome(since) ? [condition('at >= ?', since.value)] : []),
      ...(O.isSome(actor) ? [condition(`actor_id${unindexed} = ?`, actor.value)] : []),
      ...(O.isSome(action) ? [condition(`action${unindexed} = ?`, action.value)] : []),
      ...(O.isSome(subject) ? [condition('subject_id = ?', subject.value)] : []),
    ]
  },
}
