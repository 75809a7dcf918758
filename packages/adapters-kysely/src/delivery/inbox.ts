import type { Email, Instant } from '@almoner/domain'
import { type InboxCursor, type InboxEntry, type InboxQuery, inboxCursor } from '@almoner/domain/delivery'
import { NOTIFICATION_NOT_FOUND, type NotificationNotFound } from '@almoner/domain/notifications'
import { NO_ACTING_USER, type NoActingUser } from '@almoner/domain/people'
import type { PersonalMark, PersonalRecord } from '@almoner/domain/personal-data'
import type { Inbox } from '@almoner/domain/ports'
import type { NotificationId } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import { makeHoldBinding } from '../access/tokens.ts'
import {
  condition,
  type Database,
  type Db,
  queryCache,
  type SqlDialect,
  UNBOUNDED,
  whereAll,
} from '../database/database.ts'
import { makeList, makeSelectRows, type OrderedTable, type Slice } from '../database/ordered-table.ts'
import { purging, QUIET } from '../database/writes.ts'
import { INBOX_COLUMNS, type InboxRow } from '../schema/notification.table.ts'
import { notificationTable } from './rows.ts'

const STARTED_NOTIFICATIONS = `person cross join delivery cross join notification
  left join seen_mark on seen_mark.delivery_id = delivery.id and seen_mark.email = person.email`

const TABLES: Readonly<Record<string, string>> = { started_at: 'delivery', seen_at: 'seen_mark' }

const COLUMNS = INBOX_COLUMNS.map((column) => `${TABLES[column] ?? 'notification'}.${column}`).join(', ')

/**
 * Returns the condition that a notification was meant for a person (`meantFor`): by the preference in force since the epoch of the person's row,
 * or by the first former one that ended after the start. Subscribed or not makes no difference.
 */
const isMeantIn = ({ listHolds }: SqlDialect): string => {
  const isFor = (preference: string) => `${preference}.lang = delivery.lang and (delivery.label_id is null
    or ${preference}.topics = '[]' or ${listHolds(`${preference}.topics`, 'delivery.label_id')})`
  const former = `select since_epoch, lang, topics from former_preference
    where former_preference.email = person.email and until_epoch > delivery.epoch order by until_epoch limit 1`
  return `case when delivery.epoch >= person.epoch then ${isFor('person')}
    else exists (select 1 from (${former}) as former where former.since_epoch <= delivery.epoch and ${isFor('former')}) end`
}

const conditionsOf = (dialect: SqlDialect) => {
  // The text is that of the index's condition.
  const joined =
    condition(`delivery.notification_id is not null and notification.id = delivery.notification_id
    and delivery.epoch >= (select inbox_epoch from epoch where epoch.id = 1) and ${isMeantIn(dialect)}`)
  return ({ email, startedAfter }: InboxQuery) => [
    condition('person.email = ?', email),
    condition('delivery.started_at > ?', startedAfter),
    joined,
  ]
}

type EntryTable = OrderedTable<InboxEntry, InboxRow, InboxQuery, InboxCursor>

/** The entries of inboxes. */
const entryTable = (dialect: SqlDialect): EntryTable => ({
  table: STARTED_NOTIFICATIONS,
  columns: INBOX_COLUMNS,
  fromRow: (row) => ({
    notification: notificationTable.fromRow(row),
    startedAt: row.started_at,
    seenAt: O.fromNullable(row.seen_at),
  }),
  cursorOf: inboxCursor,
  order: () => ({
    columns: ['delivery.started_at', 'delivery.notification_id'],
    direction: 'desc',
    cells: ({ key, id }) => [key, id],
  }),
  conditions: conditionsOf(dialect),
})

/** Returns the delivery of an existing notification, which stays until the transaction ends. */
const heldDelivery = async (db: Db, id: NotificationId): Promise<number | undefined> => {
  const row = await db
    .selectFrom('delivery')
    .select('id')
    .where('notification_id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
  return row?.id
}

/** Marks a delivery as seen, unless it is. Returns the moment of the first mark. */
const mark = async (
  db: Db,
  row: { readonly delivery_id: number; readonly email: Email; readonly seen_at: Instant },
) => {
  await db
    .insertInto('seen_mark')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { seen_at } = await db
    .selectFrom('seen_mark')
    .select('seen_at')
    .where('delivery_id', '=', row.delivery_id)
    .where('email', '=', row.email)
    .executeTakeFirstOrThrow()
  return seen_at
}

/** Rows that one call deletes at most. */
const ROWS = 2000

const purge = async (db: Db, startedBy: Instant): Promise<number> => {
  const { first } = await db
    .selectFrom('delivery')
    .select(({ fn }) => fn.min('epoch').as('first'))
    .where('notification_id', 'is not', null)
    .where('started_at', '>', startedBy)
    .executeTakeFirstOrThrow()
  const some = db
    .selectFrom('former_preference')
    .select(['email', 'until_epoch'])
    .$if(first !== null, (query) => query.where('until_epoch', '<=', first))
    .orderBy('until_epoch')
    .limit(ROWS)
  const gone = await sql`delete from former_preference where (email, until_epoch) in (${some})`.execute(db)
  return Number(gone.numAffectedRows ?? 0)
}

/** Returns the former preferences of a person, and what the person has seen (L2). */
export const inboxDataOf = async (
  db: Db,
  email: Email,
): Promise<Pick<PersonalRecord, 'formerPreferences' | 'seen'>> => {
  const former = await db
    .selectFrom('former_preference')
    .select(['lang', 'topics'])
    .where('email', '=', email)
    .orderBy('until_epoch')
    .execute()
  const marks = await db
    .selectFrom('seen_mark')
    .innerJoin('delivery', 'delivery.id', 'seen_mark.delivery_id')
    .select(['delivery.notification_id', 'seen_mark.seen_at'])
    .where('seen_mark.email', '=', email)
    .orderBy('seen_mark.seen_at')
    .orderBy('seen_mark.delivery_id')
    .execute()
  return {
    formerPreferences: former.map(({ lang, topics }) => ({ lang, topics: JSON.parse(topics) })),
    seen: marks.map(({ notification_id, seen_at }): PersonalMark => {
      return { notificationId: O.fromNullable(notification_id), seenAt: seen_at }
    }),
  }
}

/** Inboxes, which follow from what was started and what people preferred then (F7). */
export const makeInbox = (database: Database): Inbox => {
  const table = entryTable(database.dialect)
  const select = makeSelectRows(table)
  const run = queryCache()
  const holdBinding = makeHoldBinding()

  const count = async (db: Db, query: InboxQuery): Promise<number> => {
    const { text, values } = whereAll(table.conditions(query))
    const counting = `select count(*) as total from ${STARTED_NOTIFICATIONS} ${text}`
    const [row] = await run<{ readonly total: number | string }>(db, counting, values)
    return Number(row?.total)
  }

  const isIn = async (db: Db, query: InboxQuery, id: NotificationId): Promise<boolean> => {
    const which = condition('delivery.notification_id = ?', id)
    const { text, values } = whereAll([...table.conditions(query), which])
    return (await run(db, `select 1 as found from ${STARTED_NOTIFICATIONS} ${text}`, values)).length > 0
  }

  return {
    list: makeList(database, table, {
      // Several of the tables have columns of one name.
      select: <Row>(db: Db, _columns: string, query: InboxQuery, slice: Slice<InboxCursor>) =>
        select<Row>(db, COLUMNS, query, slice),
      count,
    }),

    markSeen: (query, { notificationId, seenAt }, reader) =>
      database.write(async (db): Promise<E.Either<NoActingUser | NotificationNotFound, Instant>> => {
        if (!(await holdBinding(db, reader))) return E.left(NO_ACTING_USER)
        const { email } = query
        // An erasure waits for the row of the person (L1).
        await db.selectFrom('person').select('email').where('email', '=', email).forKeyShare().execute()
        const delivery_id = await heldDelivery(db, notificationId)
        if (delivery_id === undefined || !(await isIn(db, query, notificationId)))
          return E.left(NOTIFICATION_NOT_FOUND)
        return E.right(await mark(db, { delivery_id, email, seen_at: seenAt }))
      }, QUIET),

    countSeen: (id) =>
      database.read(async (db) => {
        const { count } = await db
          .selectFrom('seen_mark')
          .innerJoin('delivery', 'delivery.id', 'seen_mark.delivery_id')
          .select(({ fn }) => fn.countAll().as('count'))
          .where('delivery.notification_id', '=', id)
          .executeTakeFirstOrThrow()
        return Number(count)
      }, UNBOUNDED),

    // No cache holds preferences.
    purgePreferences: (startedBy) => purging(database, (db) => purge(db, startedBy), QUIET),
  }
}
