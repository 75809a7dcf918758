import { type Act, type ItemFields, type NewRevision, revisionOf } from '@almoner/domain/history'
import type { ItemCore } from '@almoner/domain/library'
import * as O from 'fp-ts/lib/Option.js'
import { queryCache } from '../../database/compiled-query.ts'
import { columnList, placeholders } from '../../database/conditions.ts'
import type { Db } from '../../database/database.ts'

/** The columns of a new revision, whose `id` the database counts up. */
const COLUMNS = [
  'at',
  'actor_kind',
  'actor_id',
  'action',
  'subject_kind',
  'subject_id',
  'number',
  'is_latest',
  'changes',
  'state',
] as const

const INSERT = `insert into audit_record (${columnList(COLUMNS)}) values (${placeholders(COLUMNS)})`

const SUPERSEDE = `update audit_record set is_latest = 0
  where subject_id = ? and number is not null and subject_kind = ? and is_latest = 1`

const cellsOf = ({ at, actor, action, subject, number, changes, state }: NewRevision) => [
  at,
  actor.kind,
  actor.id,
  action,
  subject.kind,
  subject.id,
  number.value,
  1,
  changes === undefined ? null : JSON.stringify(changes),
  JSON.stringify(state),
]

/** Stores the record of a write of an item, inside the transaction that writes the item. */
export type RecordRevision<Item> = (
  db: Db,
  before: Item | undefined,
  after: Item,
  act: Act | undefined,
) => Promise<void>

/** Makes a {@link RecordRevision} for items of one content type. Without an act, or if no field changed, it stores nothing (K1). */
export const makeRecordRevision = <Item extends ItemCore>(fields: ItemFields<Item>): RecordRevision<Item> => {
  const run = queryCache()
  return async (db, before, after, act) => {
    const record = act === undefined ? O.none : revisionOf(fields, before, after, act)
    if (O.isNone(record)) return
    const { subject } = record.value
    if (before !== undefined) await run(db, SUPERSEDE, [subject.id, subject.kind])
    await run(db, INSERT, cellsOf(record.value))
  }
}
