import type { ItemId } from '@almoner/domain'
import type { ContentType } from '@almoner/domain/history'
import { nfcOf } from '@almoner/domain/values'
import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../database/database.ts'

/** A table whose rows have identifiers, and the columns in which other tables name them. */
interface Identified {
  readonly table: string
  readonly id: string
  readonly named: ReadonlyArray<readonly [table: string, column: string]>
}

const OF_ORGANIZATIONS = [
  ...['portfolio_organization_sector', 'portfolio_introduction', 'portfolio_summary', 'portfolio_program'],
  ...['portfolio_challenge', 'portfolio_dataset'],
]

const LABELS: Identified = {
  table: 'label',
  id: 'label_id',
  named: [
    ['library_label', 'label_id'],
    ['feed_label', 'label_id'],
  ],
}

const ALL: ReadonlyArray<Identified> = [
  LABELS,
  {
    table: 'portfolio_sector',
    id: 'id',
    named: [['portfolio_organization_sector', 'sector_id']],
  },
  {
    table: 'portfolio_organization',
    id: 'id',
    named: OF_ORGANIZATIONS.map((table) => [table, 'organization_id'] as const),
  },
]

/** Returns the identifiers of a table that are not composed. ASCII is always composed. */
const decomposedIn = async (db: Db, { table, id }: Identified): Promise<ReadonlyArray<string>> => {
  const { rows } = await sql<{ id: string }>`select ${sql.ref(id)} as id from ${sql.table(table)}
    where ${sql<SqlBool>`octet_length(${sql.ref(id)}) <> length(${sql.ref(id)})`}
    order by ${sql.ref(id)}`.execute(db)
  return rows.flatMap((row) => (nfcOf(row.id) === row.id ? [] : [row.id]))
}

/** Gives rows another value in a column. Where a row with that value and the rest of the key exists, that one stays alone. */
const move = async (db: Db, table: string, column: string, from: string, to: string): Promise<void> => {
  const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}
    where ${sql.ref(column)} = ${from}`.execute(db)
  // Nothing but the table's name is known to the type checker here.
  for (const row of rows)
    await db
      .insertInto(table as never)
      .values({ ...row, [column]: to } as never)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

const remove = async (db: Db, table: string, column: string, value: string): Promise<void> => {
  await sql`delete from ${sql.table(table)} where ${sql.ref(column)} = ${value}`.execute(db)
}

/** Composes the identifiers of a table, and wherever others name them. */
const composeIn = async (db: Db, identified: Identified): Promise<void> => {
  const { table, id, named } = identified
  for (const from of await decomposedIn(db, identified)) {
    const to = nfcOf(from)
    await move(db, table, id, from, to)
    for (const [other, column] of named) {
      await move(db, other, column, from, to)
      await remove(db, other, column, from)
    }
    await remove(db, table, id, from)
  }
}

/** Returns the items of a type that carry a label whose identifier is not composed. */
const carriersOf = async (db: Db, contentType: ContentType, labels: ReadonlyArray<string>) => {
  const ids: Array<ItemId> = []
  for (const label of labels) {
    const { rows } = await sql<{ item_id: ItemId }>`select item_id from ${sql.table(`${contentType}_label`)}
      where label_id = ${label}`.execute(db)
    ids.push(...rows.map((row) => row.item_id))
  }
  return new Set(ids)
}

/**
 * Composes the identifiers of labels, sectors and organizations: requests and files name them in NFC (H5). Of two that are then alike the
 * composed one stays, with what belongs to both.
 * @returns the items whose labels have other identifiers now
 */
export const composeIds = async (
  db: Db,
): Promise<ReadonlyArray<readonly [ContentType, ReadonlySet<ItemId>]>> => {
  const labels = await decomposedIn(db, LABELS)
  const relabelled = [
    ['library', await carriersOf(db, 'library', labels)],
    ['feed', await carriersOf(db, 'feed', labels)],
  ] as const
  for (const identified of ALL) await composeIn(db, identified)
  return relabelled
}
