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

const kept = (column: string): string => `${column} = case
  when content_change.${column} < excluded.${column} or excluded.${column} is null then content_change.${column}
  else excluded.${column} end`

const upsert = (next: string, rows: number): string => `insert into content_change
  (position, kind, id, aspect, rank, user_lead, donor_lead, gone_at)
  values ${Array.from({ length: rows }, () => `(${next}, ?, ?, ?, ?, ?, ?, ?)`).join(', ')}
  on conflict (kind, id, aspect) do update set position = excluded.position, rank = excluded.rank,
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
  return async (db, things) => {
    for (const some of insertChunks(things))
      await run(db, upsert(positions.next, some.length), some.flatMap(cellsOf))
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

/** Returns statements that record every item and label that there is, at one position: an expression. */
export const fillChanges = (position: string): ReadonlyArray<string> => {
  const columns = 'position, kind, id, aspect, rank'
  return [
    ...CONTENT_TYPES.map(
      (kind) => `insert into content_change (${columns})
    select ${position}, '${kind}', id, 'own', 0 from ${kind}_item`,
    ),
    `insert into content_change (${columns}) select ${position}, 'label', label_id, 'own', rank from label`,
  ]
}

/** The table of epochs, of which every database has one. */
export const EPOCH_TABLE = 'change_epoch'

/**
 * Returns statements that begin another epoch (N3).
 * @param keeps whether the cursors of all earlier epochs stay good, up to the present position
 * @param shift an expression for the number added to those of transactions from now on
 */
export const epochStatements = (
  { positions }: Pick<SqlDialect, 'positions'>,
  keeps: boolean,
  shift = '0',
): ReadonlyArray<string> => [
  `insert into ${EPOCH_TABLE} (epoch, shift, identity, number)
    select ${positions.newEpoch}, ${shift}, max(case when last_position is null then identity end), max(number) + 1
    from ${EPOCH_TABLE}`,
  `update ${EPOCH_TABLE} set last_position = ${keeps ? '(select coalesce(max(position), 0) from content_change)' : '-1'}
    where number < (select max(number) from ${EPOCH_TABLE}) ${keeps ? 'and last_position is null' : ''}`,
]
