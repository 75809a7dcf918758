import type { Label, LabelId, LabelsInUse } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { sql } from 'kysely'
import type { Db, SqlDialect } from '../../database/database.ts'

const presentIds = async (db: Db): Promise<ReadonlyArray<LabelId>> => {
  const rows = await db.selectFrom('label').select('label_id').orderBy('rank').execute()
  return rows.map((row) => row.label_id)
}

const isAttached = async (db: Db, labelId: LabelId): Promise<boolean> => {
  const found = await db
    .selectFrom('library_label')
    .select('label_id')
    .where('label_id', '=', labelId)
    .union((both) => both.selectFrom('feed_label').select('label_id').where('label_id', '=', labelId))
    .executeTakeFirst()
  return found !== undefined
}

const put = (db: Db, { labelId, en, fr }: Label, rank: number) =>
  db
    .insertInto('label')
    .values({ label_id: labelId, en, fr, rank })
    .onConflict((conflict) => conflict.column('label_id').doUpdateSet({ en, fr, rank }))
    .execute()

/**
 * Makes the set exactly this one, inside a transaction; LabelsInUse names those missing that items carry (E1). Of two at once the second one
 * waits, and replaces what the first has left.
 */
export const replaceLabels = async (
  db: Db,
  { locksRows }: SqlDialect,
  labels: ReadonlyArray<Label>,
): Promise<E.Either<LabelsInUse, void>> => {
  // Locks of rows would not do: neither load sees the rows that the other adds.
  if (locksRows) await sql`lock table label in share row exclusive mode`.execute(db)
  const kept = new Set(labels.map(({ labelId }) => labelId))
  const missing = (await presentIds(db)).filter((labelId) => !kept.has(labelId))
  const used: Array<LabelId> = []
  for (const labelId of missing) if (await isAttached(db, labelId)) used.push(labelId)
  if (used.length > 0) return E.left({ _tag: 'LabelsInUse', labelIds: used })
  for (const labelId of missing) await db.deleteFrom('label').where('label_id', '=', labelId).execute()
  for (const [rank, label] of labels.entries()) await put(db, label, rank)
  return E.right(undefined)
}
