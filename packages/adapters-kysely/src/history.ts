import type { Email, Instant, ItemId, ResultSet } from '@almoner/domain'
import type { TimedAct } from '@almoner/domain/access'
import {
  type AuditCursor,
  type AuditQuery,
  type AuditRecord,
  changesOf,
  type FieldChange,
  type Fields,
  type Revision,
  type RevisionQuery,
  recordOf,
  type Subject,
} from '@almoner/domain/history'
import type { History } from '@almoner/domain/ports'
import { listingOf, mapListing } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type SqlBool, sql } from 'kysely'
import {
  columnList,
  condition,
  type Database,
  type Db,
  placeholders,
  queryCache,
} from './database/database.ts'
import { makeList, makeSelectRows, type OrderedTable } from './database/ordered-table.ts'
import { inSteps, makeDeleteFirst } from './database/purges.ts'
import { batchesOf, collection, paddedInLists, purging, QUIET } from './database/writes.ts'
import type { AuditRow } from './schema/audit.table.ts'
import { allColumnsOf } from './schema/columns.ts'

/** A row as it is read. */
type StoredAuditRow = Omit<AuditRow, 'id' | 'is_latest'> & { readonly id: number }

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

const auditRecordOf = (row: StoredAuditRow): AuditRecord => ({
  at: row.at,
  actor: { kind: row.actor_kind, id: row.actor_id },
  action: row.action,
  subject: { kind: row.subject_kind, id: row.subject_id },
  number: O.fromNullable(row.number),
  changes: changesIn(row),
})

/** The revisions of an item, by their numbers. */
const REVISIONS: OrderedTable<Revision, StoredAuditRow, RevisionQuery, number> = {
  table: 'audit_record',
  columns: COLUMNS,
  // The query's conditions leave only rows with a number.
  fromRow: (row) => auditRecordOf(row) as Revision,
  cursorOf: ({ number }) => number.value,
  order: () => ({ columns: ['number'], direction: 'desc', cells: (number) => [number] }),
  conditions: ({ contentType, itemId }) => [
    condition('subject_id = ?', itemId),
    condition('number is not null'),
    condition('subject_kind = ?', contentType),
    // A deleted item has no history until it is put back (C18).
    condition(`exists (select 1 from ${contentType}_item where id = ?)`, itemId),
  ],
}

/** A record with its place in the order of all. */
interface NumberedRecord {
  readonly id: number
  readonly record: AuditRecord
}

/** All records, the latest time first. A query by time, actor, action or subject has an index with this order. */
const RECORDS: OrderedTable<NumberedRecord, StoredAuditRow, AuditQuery, AuditCursor> = {
  table: 'audit_record',
  columns: COLUMNS,
  fromRow: (row) => ({ id: row.id, record: auditRecordOf(row) }),
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

/** Records that one call deletes at most: it holds up other writes for some milliseconds. */
const PURGE = 2000

/** A record that no item needs as its latest. The text is that of its index's condition. */
const isExpiring = sql<SqlBool>`is_latest = 0`

/** A record that is no base of a pair (J8). */
const isNoBase = sql<SqlBool>`not exists (select 1 from translation where en_id = subject_id and en_base = number)
  and not exists (select 1 from translation where fr_id = subject_id and fr_base = number)`

const isExpired = (madeBy: Instant) => sql<SqlBool>`${isExpiring} and ${isNoBase} and at <= ${madeBy}`

const withoutNumbers = ({
  batches,
  loaded,
  next,
}: ResultSet<NumberedRecord, AuditCursor>): ResultSet<AuditRecord, AuditCursor> => {
  const records = (some: ReadonlyArray<NumberedRecord>) => some.map(({ record }) => record)
  return loaded === undefined
    ? mapListing({ batches, next }, (batch) => TE.right(records(batch)))
    : listingOf(records(loaded), next)
}

/** The records of changes (K1 to K4). The repositories of what changes write them. */
export const makeHistory = (database: Database): History => {
  const select = makeSelectRows(RECORDS)
  const list = makeList(database, RECORDS)
  const columns = columnList(RECORDS.columns)
  const deleteFirst = makeDeleteFirst({ table: RECORDS.table, key: ['id'], order: 'at' })
  return {
    revisions: makeList(database, REVISIONS),
    stateAt: ({ contentType, itemId }, number) =>
      database.read(async (db): Promise<O.Option<Fields>> => {
        const row = await db
          .selectFrom('audit_record')
          .select('state')
          .where('subject_id', '=', itemId)
          .where('number', '=', number)
          .where('subject_kind', '=', contentType)
          .executeTakeFirst()
        return O.map((state: string): Fields => JSON.parse(state))(O.fromNullable(row?.state))
      }),
    audit: (query, window) => TE.map(withoutNumbers)(list(query, window)),
    async *records(query) {
      const batches = collection(database, (db) =>
        batchesOf<NumberedRecord>(async (last, most) => {
          const after = O.map(RECORDS.cursorOf)(O.fromNullable(last))
          const slice = { after, most, offset: 0 }
          return (await select<StoredAuditRow>(db, columns, query, slice)).map(RECORDS.fromRow)
        }),
      )
      for await (const batch of batches) yield batch.map(({ record }) => record)
    },
    // No cache holds records.
    purge: (madeBy) =>
      purging(database, (db) => inSteps(PURGE, (most) => deleteFirst(db, isExpired(madeBy), most)), QUIET),
  }
}

const ACT_COLUMNS = [
  'at',
  'actor_kind',
  'actor_id',
  'action',
  'subject_kind',
  'subject_id',
  'is_latest',
  'changes',
] as const

const INSERT_ACT = `insert into audit_record (${columnList(ACT_COLUMNS)}) values (${placeholders(ACT_COLUMNS)})`

/** Stores the record of an act that made no revision, if there is an act, inside the transaction of the change (K1). */
type RecordAct = (
  db: Db,
  act: TimedAct | undefined,
  subject: Subject,
  changes?: ReadonlyArray<FieldChange>,
) => Promise<void>

/** Makes a {@link RecordAct} for one engine, whose statement is compiled once. */
export const makeRecordAct = (): RecordAct => {
  const run = queryCache()
  return async (db, act, subject, changes = []) => {
    if (act === undefined) return
    const { at, actor, action } = recordOf(act, subject, changes)
    const { kind, id } = subject
    await run(db, INSERT_ACT, [at, actor.kind, actor.id, action, kind, id, 0, JSON.stringify(changes)])
  }
}

/** As {@link makeRecordAct} makes it, for any engine and for acts that are seldom. */
export const recordAct: RecordAct = (...args) => makeRecordAct()(...args)

/** Returns the number of a person in records, if there is one. */
export const numberOf = async (db: Db, email: Email): Promise<number | undefined> => {
  const row = await db.selectFrom('user_number').select('id').where('email', '=', email).executeTakeFirst()
  return row?.id
}

/** Returns the number of a person in records: a new one at the first use. */
export const userNumber = async (db: Db, email: Email): Promise<number> => {
  const known = await numberOf(db, email)
  if (known !== undefined) return known
  const { id } = await db
    .insertInto('user_number')
    .values({ email })
    // Another transaction may have added it meanwhile.
    .onConflict((conflict) => conflict.column('email').doUpdateSet({ email }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** As {@link recordAct}, about a person: the record has a number instead of the address (K1). */
export const recordUserAct = async (
  db: Db,
  act: TimedAct | undefined,
  email: Email,
  changes: ReadonlyArray<FieldChange> = [],
  kind: 'user' | 'manager' = 'user',
): Promise<void> => {
  if (act === undefined) return
  await recordAct(db, act, { kind, id: String(await userNumber(db, email)) }, changes)
}

/** Removes what managers have written to the authors of these posts from the posts' history (L1, L3). */
export const deleteRecordedReasons = async (db: Db, posts: ReadonlyArray<ItemId>): Promise<void> => {
  for (const list of paddedInLists(posts)) {
    const records = await db
      .selectFrom('audit_record')
      .select(['id', 'changes', 'state'])
      .where('subject_id', 'in', list)
      .where('subject_kind', '=', 'feed')
      // A text that holds these words has its quotation marks escaped.
      .where(
        sql<boolean>`(changes like '%"field":"reason"%' or (state like '%"reason":"%' and state not like '%"reason":""%'))`,
      )
      .execute()
    for (const { id, changes, state } of records) {
      const rest = changes === null ? null : (JSON.parse(changes) as ReadonlyArray<FieldChange>)
      await db
        .updateTable('audit_record')
        .set({
          changes: rest && JSON.stringify(rest.filter(({ field }) => field !== 'reason')),
          state: state && JSON.stringify({ ...(JSON.parse(state) as Fields), reason: '' }),
        })
        .where('id', '=', id)
        .execute()
    }
  }
}
