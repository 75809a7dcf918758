import type { Instant, ResultSet } from '@almoner/domain'
import type { AuditCursor, AuditRecord, Fields } from '@almoner/domain/history'
import type { History } from '@almoner/domain/ports'
import { listingOf, mapListing } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type SqlBool, sql } from 'kysely'
import { batchesOf, collection } from '../../database/batches.ts'
import type { Database, Db } from '../../database/database.ts'
import { columnList } from '../../database/query.ts'
import { inSteps, purging, QUIET } from '../../database/writes.ts'
import { makeList, makeSelectRows } from '../collections/ordered-table.ts'
import { type NumberedRecord, RECORDS, REVISIONS, type StoredAuditRow } from './audit-table.ts'

/** Records that one call deletes at most: it holds up other writes for some milliseconds. */
const PURGE = 2000

/** A record that no item needs. The text is that of its index's condition. */
const isExpiring = sql<SqlBool>`is_latest = 0`

const purgeSome = async (db: Db, madeBy: Instant, most: number): Promise<number> => {
  const some = db
    .selectFrom('audit_record')
    .select('id')
    .where(isExpiring)
    .where('at', '<=', madeBy)
    .orderBy('at')
    .orderBy('id')
    .limit(most)
  const gone = await db.deleteFrom('audit_record').where('id', 'in', some).executeTakeFirst()
  return Number(gone.numDeletedRows)
}

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
      purging(database, (db) => inSteps(PURGE, (most) => purgeSome(db, madeBy, most)), QUIET),
  }
}
