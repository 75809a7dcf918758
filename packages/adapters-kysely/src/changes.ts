import type { Instant, ItemId } from '@almoner/domain'
import { labelChanges } from '@almoner/domain/changes'
import { type Label, type Leads, NEVER_SHOWN } from '@almoner/domain/content'
import { CONTENT_TYPES, type ContentType } from '@almoner/domain/history'
import type { MediaName } from '@almoner/domain/media'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import { type Cell, type Db, queryCache, type SqlDialect } from './database/database.ts'
import { insertChunks } from './database/writes.ts'
import type { ContentChangeRow } from './schema/change.table.ts'

/** What a write puts behind all other changes. */
type ChangedThing = Pick<ContentChangeRow, 'kind' | 'id' | 'aspect'> &
  Partial<Pick<ContentChangeRow, 'rank' | 'gone_at'>> & { readonly leads?: Leads }

/** A transaction with a lower number may wait for one with a higher, and write the row after it: positions do not go back, nor does the last one. */
const risen = (column: string): string => `${column} = case
  when content_change.${column} > excluded.${column} then content_change.${column} else excluded.${column} end`

const kept = (column: string): string => `${column} = case
  when content_change.${column} < excluded.${column} or excluded.${column} is null then content_change.${column}
  else excluded.${column} end`

type Positions = SqlDialect['positions']

const placeOf = ({ next, settled }: Positions): string => `${next}, ${settled ?? 'null'}`

const upsert = (positions: Positions, rows: number): string => `insert into content_change
  (position, settled, kind, id, aspect, rank, user_lead, donor_lead, gone_at)
  values ${Array.from({ length: rows }, () => `(${placeOf(positions)}, ?, ?, ?, ?, ?, ?, ?)`).join(', ')}
  on conflict (kind, id, aspect) do update set ${risen('position')}, ${risen('settled')}, rank = excluded.rank,
    ${kept('user_lead')}, ${kept('donor_lead')}, gone_at = excluded.gone_at`

const cellsOf = ({
  kind,
  id,
  aspect,
  rank = 0,
  gone_at = null,
  leads: { user, donor } = NEVER_SHOWN,
}: ChangedThing): ReadonlyArray<Cell> => [
  kind,
  id,
  aspect,
  rank,
  O.toNullable(user),
  O.toNullable(donor),
  gone_at,
]

/** Records changes for copies that apps keep, inside the transaction that makes them (N2). */
export type RecordChanges = (db: Db, things: ReadonlyArray<ChangedThing>) => Promise<void>

/** Makes the function that records changes: one statement for one thing, and for up to a hundred. */
export const makeRecordChanges = ({ positions }: Pick<SqlDialect, 'positions'>): RecordChanges => {
  const run = queryCache()
  // Most writes change one thing: composing its text would take as long as the statement itself.
  const one = upsert(positions, 1)
  return async (db, things) => {
    for (const some of insertChunks(things))
      await run(db, some.length === 1 ? one : upsert(positions, some.length), some.flatMap(cellsOf))
  }
}

/** Items that are read at a time. */
const STEP = 500

interface Carrier {
  readonly id: ItemId
}

/** Records that the labels of items have other names, or another order: of the items with one of some labels, or with any. */
const changeCarriers = async (
  db: Db,
  record: RecordChanges,
  kind: ContentType,
  label?: string,
): Promise<void> => {
  const table = sql.table(`${kind}_label`)
  const wanted = label === undefined ? sql`` : sql`and label_id = ${label}`
  for (let last = ''; ; ) {
    const some = sql<Carrier>`select distinct item_id as id from ${table} where item_id > ${last} ${wanted}
      order by item_id limit ${STEP}`
    const { rows } = await some.execute(db)
    await record(
      db,
      rows.map(({ id }) => ({ kind, id, aspect: 'labels' })),
    )
    if (rows.length < STEP) return
    last = rows.at(-1)?.id ?? last
  }
}

/** Records a load of labels, whose rows are written already: a transaction that attaches one of them has to wait (N1, N2). */
export const recordLabels = async (
  db: Db,
  record: RecordChanges,
  {
    before,
    after,
    at,
  }: { before: ReadonlyArray<Label>; after: ReadonlyArray<Label>; at?: Instant | undefined },
): Promise<void> => {
  const { from, isReordered, renamed } = labelChanges(before, after)
  const own = { kind: 'label', aspect: 'own' } as const
  const puts = after.map(({ labelId }, rank) => ({ ...own, id: labelId, rank })).slice(from)
  const stays = new Set(after.map(({ labelId }) => labelId))
  const gone = before
    .filter(({ labelId }) => !stays.has(labelId))
    .map(({ labelId }) => ({ ...own, id: labelId, gone_at: at ?? null }))
  await record(db, [...puts, ...gone])
  const labels = isReordered ? [undefined] : renamed.map(({ labelId }) => labelId)
  for (const label of labels) for (const kind of CONTENT_TYPES) await changeCarriers(db, record, kind, label)
}

/** Records that the size of an image is known now: of all items that show it or link to it. */
export const recordSizes = async (db: Db, record: RecordChanges, name: MediaName): Promise<void> => {
  const rows = await db
    .selectFrom('media_reference')
    .select(['content_type as kind', 'item_id as id'])
    .where('name', '=', name)
    .orderBy('content_type')
    .orderBy('item_id')
    .execute()
  await record(
    db,
    rows.map((row) => ({ ...row, aspect: 'images' })),
  )
}

/** Returns statements that record every item and label that there is, at the position of their transaction. */
export const fillChanges = (positions: Positions): ReadonlyArray<string> => {
  const columns = 'position, settled, kind, id, aspect, rank'
  const place = placeOf(positions)
  return [
    ...CONTENT_TYPES.map(
      (kind) => `insert into content_change (${columns})
    select ${place}, '${kind}', id, 'own', 0 from ${kind}_item`,
    ),
    `insert into content_change (${columns}) select ${place}, 'label', label_id, 'own', rank from label`,
  ]
}

/** The table of epochs, of which every database has one. */
export const EPOCH_TABLE = 'change_epoch'

/** An expression for the greatest position that there is. */
export const LAST_POSITION = '(select coalesce(max(position), 0) from content_change)'

/**
 * An expression for the greatest position before which no transaction is missing from a copy of the database that may lack the latest ones (N3).
 * Each change states before which position all had ended when it was made. Those were committed before it, so a copy that has it has them.
 */
export const COMPLETE_POSITION = `(select coalesce(max(case when settled = position then position else settled - 1 end), 0)
    from content_change)`

/** What another epoch changes. */
interface NextEpoch {
  /** An expression for the position up to which cursors of earlier epochs stay good; without one, none of them does. */
  readonly keptUpTo?: string
  /** An expression for the number added to those of transactions from now on. */
  readonly shift: string
}

/** Returns statements that begin another epoch (N3). */
export const epochStatements = (
  { positions }: Pick<SqlDialect, 'positions'>,
  { keptUpTo, shift }: NextEpoch,
): ReadonlyArray<string> => [
  `insert into ${EPOCH_TABLE} (epoch, shift, identity, number)
    select ${positions.newEpoch}, ${shift}, ${positions.server}, max(number) + 1 from ${EPOCH_TABLE}`,
  `update ${EPOCH_TABLE} set last_position = ${keptUpTo ?? '-1'}
    where number < (select max(number) from ${EPOCH_TABLE}) ${keptUpTo === undefined ? '' : 'and last_position is null'}`,
]
