import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FeedItem, Instant, LibraryItem } from '@almoner/domain'
import type { Aspect, ChangeKind, ChangesTip, StoredChange } from '@almoner/domain/changes'
import type { Label } from '@almoner/domain/content'
import type { Changes, ChangesQuery } from '@almoner/domain/ports'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type SqlBool, sql } from 'kysely'
import {
  type Cell,
  columnList,
  type Database,
  type Db,
  placeholders,
  queryCache,
  type SqlDialect,
} from '../database/database.ts'
import { inSteps, makeDeleteFirst } from '../database/purges.ts'
import { findInLists, purging, QUIET } from '../database/writes.ts'
import type { ContentChangeRow } from '../schema/change.table.ts'
import type { ContentTable } from './select-items.ts'
import { feedTable, libraryTable } from './tables.ts'

/** Rows of one statement. */
const STEP = 500

const ORDER = 'position, rank, kind, id, aspect'

const rowsBehind = (isWithin: boolean): string =>
  `select ${ORDER}, user_lead, donor_lead from content_change
    where ${isWithin ? `(${ORDER}) > (?, ?, ?, ?, ?)` : 'position > ?'} and position <= ?
    order by ${ORDER} limit ?`

type Row = Omit<ContentChangeRow, 'gone_at' | 'settled'>

/** The statement that reads the present epoch, and how far its changes are complete. */
const tipQuery = ({ positions: { settled } }: SqlDialect): string => {
  const last = 'select max(position) from content_change'
  const complete = settled === undefined ? last : `${last} where position < ${settled}`
  return `select epoch, coalesce((${complete}), 0) as position, coalesce((${last}), 0) as latest
    from change_epoch where last_position is null`
}

const makeReadTip = (dialect: SqlDialect) => {
  const run = queryCache()
  const query = tipQuery(dialect)
  return async (db: Db): Promise<ChangesTip> => {
    const [tip] = await run<ChangesTip>(db, query, [])
    if (tip === undefined) throw new Error('the database has no epoch of changes')
    return tip
  }
}

const makeReadItems = <Item, R, Query, K extends string | number>({
  table,
  columns,
  fromRow,
}: Pick<ContentTable<Item, R, Query, K>, 'table' | 'columns' | 'fromRow'>) => {
  const run = queryCache()
  return async (db: Db, ids: ReadonlyArray<string>): Promise<ReadonlyArray<Item>> => {
    const rows = await findInLists(ids, (list) =>
      run<R>(db, `select ${columnList(columns)} from ${table} where id in (${placeholders(list)})`, list),
    )
    return rows.map(fromRow)
  }
}

const readLabels = (db: Db, ids: ReadonlyArray<string>): Promise<ReadonlyArray<Label>> =>
  findInLists(ids, async (list) => {
    const { rows } = await sql<Label>`select label_id as "labelId", en, fr from label
      where label_id in (${sql.join(list)})`.execute(db)
    return rows
  })

/** Makes a function that reads the present state of things by kind and id. */
const makeReadStates = () => {
  const library = makeReadItems(libraryTable)
  const feed = makeReadItems(feedTable)
  return async (db: Db, rows: ReadonlyArray<Row>) => {
    const idsOf = (kind: ChangeKind) => [
      ...new Set(rows.flatMap((row) => (row.kind === kind ? [row.id] : []))),
    ]
    const states = new Map<string, LibraryItem | FeedItem | Label>()
    for (const item of await library(db, idsOf('library'))) states.set(`library ${item.id}`, item)
    for (const item of await feed(db, idsOf('feed'))) states.set(`feed ${item.id}`, item)
    for (const label of await readLabels(db, idsOf('label'))) states.set(`label ${label.labelId}`, label)
    return states
  }
}

/** Deletions that one call forgets at most: it holds up other writes for some milliseconds. */
const PURGE = 2000

/** Deletions that are forgotten. The last position stays, so that positions never count again from an earlier one. */
const isForgotten = (deletedBy: Instant) => sql<SqlBool>`gone_at <= ${deletedBy}
  and position < (select max(position) from content_change)`

/** What changed, and when (N2). The repositories of what changes record it. */
export const makeChanges = (database: Database): Changes => {
  const { shown = database } = database
  const readTip = makeReadTip(database.dialect)
  const readStates = makeReadStates()
  const deleteFirst = makeDeleteFirst({
    table: 'content_change',
    key: ['kind', 'id', 'aspect'],
    order: 'gone_at',
  })
  const run = queryCache()

  /** Reads places in order until there are enough of the wanted ones. Each statement reads some, so that none takes long (I6). */
  const readRows = async (
    db: Db,
    { position, place, kinds, aspects, most }: ChangesQuery,
    until: number,
  ): Promise<ReadonlyArray<Row>> => {
    const isWanted = ({ kind, aspect }: { kind: ChangeKind; aspect: Aspect }) =>
      kinds.includes(kind) && aspects.includes(aspect)
    const found: Array<Row> = []
    let last = O.toUndefined(place)
    for (;;) {
      const from: ReadonlyArray<Cell> =
        last === undefined ? [position] : [last.position, last.rank, last.kind, last.id, last.aspect]
      const rows = await run<Row>(db, rowsBehind(last !== undefined), [...from, until, STEP])
      found.push(...rows.filter(isWanted))
      if (found.length >= most || rows.length < STEP) return found.slice(0, most)
      last = rows.at(-1)
      await nextTurn()
    }
  }

  return {
    tip: (held) => {
      // A standby may lack what another process has answered (I8).
      const isLacking = ({ epoch, position }: ChangesTip) =>
        held !== undefined && (epoch !== held.epoch || position < held.position)
      return pipe(
        shown.read(readTip),
        TE.flatMap((tip) => (shown !== database && isLacking(tip) ? database.read(readTip) : TE.right(tip))),
      )
    },
    endOf: (epoch) =>
      database.read(async (db) => {
        const row = await db
          .selectFrom('change_epoch')
          .select('last_position')
          .where('epoch', '=', epoch)
          .executeTakeFirst()
        return O.fromNullable(row?.last_position)
      }),
    after: (query) =>
      shown.readSnapshot(async (db) => {
        const tip = await readTip(db)
        const rows = await readRows(db, query, tip.position)
        const states = await readStates(db, rows)
        const changes = rows.map(({ user_lead, donor_lead, ...row }) => ({
          ...row,
          leads: { user: O.fromNullable(user_lead), donor: O.fromNullable(donor_lead) },
          state: O.fromNullable(states.get(`${row.kind} ${row.id}`)),
        }))
        return {
          tip,
          changes: changes as ReadonlyArray<ContentChangeRow | object> as ReadonlyArray<StoredChange>,
        }
      }),
    purge: (deletedBy) =>
      purging(
        database,
        (db) => inSteps(PURGE, (most) => deleteFirst(db, isForgotten(deletedBy), most)),
        QUIET,
      ),
  }
}
