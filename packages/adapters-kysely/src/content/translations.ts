import type { ItemId } from '@almoner/domain'
import {
  COUNTERPART_NOT_FOUND,
  type Counterpart,
  type CounterpartNotFound,
  ITEM_NOT_FOUND,
  type ItemNotFound,
  pairOf,
  type TranslationPair,
  translationChange,
} from '@almoner/domain/content'
import type { Translations } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import { type Database, type Db, placeholders, queryCache } from '../database/database.ts'
import { paddedInList, workOf } from '../database/writes.ts'
import { recordAct } from '../history.ts'
import type { LibraryItemRow } from '../schema/item.table.ts'

type CounterpartRow = Pick<
  LibraryItemRow,
  'id' | 'lang' | 'status' | 'updated_at' | 'restricted' | 'publication_date'
>

interface LinkedRow extends CounterpartRow {
  readonly of: ItemId
}

const COLUMNS = 'id, lang, status, updated_at, restricted, publication_date'

const fromRow = (row: CounterpartRow): Counterpart => ({
  id: row.id,
  lang: row.lang,
  status: row.status,
  updatedAt: row.updated_at,
  isDonorRestricted: row.restricted === 1,
  publicationDate: row.publication_date,
})

/** Reads the counterparts of several items by one statement. */
const makeReadCounterparts = () => {
  const run = queryCache()
  return async (db: Db, itemIds: ReadonlyArray<ItemId>): Promise<ReadonlyMap<ItemId, Counterpart>> => {
    if (itemIds.length === 0) return new Map()
    const ids = paddedInList(itemIds)
    const side = (own: string, other: string) =>
      `select ${own} as "of", ${COLUMNS} from translation join library_item on id = ${other} where ${own} in (${placeholders(ids)})`
    const statement = `${side('en_id', 'fr_id')} union all ${side('fr_id', 'en_id')}`
    const rows = await run<LinkedRow>(db, statement, [...ids, ...ids])
    return new Map(rows.map((row) => [row.of, fromRow(row)]))
  }
}

const isLinked = async (db: Db, { en, fr }: TranslationPair): Promise<boolean> => {
  const found = await db
    .selectFrom('translation')
    .select('en_id')
    .where('en_id', '=', en)
    .where('fr_id', '=', fr)
    .executeTakeFirst()
  return found !== undefined
}

const removeLinks = (db: Db, ids: ReadonlyArray<ItemId>) =>
  db
    .deleteFrom('translation')
    .where((of) => of.or([of('en_id', 'in', ids), of('fr_id', 'in', ids)]))
    .returning(['en_id', 'fr_id'])
    .execute()

/** Returns the other side of the link of an item, if one of these is its. */
const otherSideOf = (
  links: ReadonlyArray<{ readonly en_id: ItemId; readonly fr_id: ItemId }>,
  id: ItemId,
): ItemId | undefined => {
  const link = links.find(({ en_id, fr_id }) => en_id === id || fr_id === id)
  return link?.en_id === id ? link.fr_id : link?.en_id
}

/** Returns whether an item has a counterpart (J7). */
export const hasCounterpart = async (db: Db, id: ItemId): Promise<boolean> => {
  const found = await db
    .selectFrom('translation')
    .select('en_id')
    .where((of) => of.or([of('en_id', '=', id), of('fr_id', '=', id)]))
    .executeTakeFirst()
  return found !== undefined
}

/** Links between publications (J7). */
export const makeTranslations = (database: Database): Translations => {
  const readCounterparts = makeReadCounterparts()
  const lock = database.dialect.locksRows ? ' for update' : ''
  const run = queryCache()
  /** Reads items, whose languages stay as they are until the transaction ends. */
  const holdItems = async (db: Db, ids: ReadonlyArray<ItemId>) => {
    const statement = `select ${COLUMNS} from library_item where id in (${placeholders(ids)}) order by id${lock}`
    const rows = await run<CounterpartRow>(db, statement, ids)
    return new Map(rows.map((row) => [row.id, fromRow(row)]))
  }
  return {
    ofItems: (ids) => database.read((db) => readCounterparts(db, ids), workOf(ids)),

    link: (id, counterpartId, act) =>
      database.write(async (db) => {
        const items = await holdItems(db, [id, counterpartId])
        const [item, counterpart] = [items.get(id), items.get(counterpartId)]
        if (item === undefined) return E.left(ITEM_NOT_FOUND)
        if (counterpart === undefined) return E.left(COUNTERPART_NOT_FOUND)
        const pair = pairOf(item, counterpart)
        if (E.isLeft(pair)) return pair
        if (!(await isLinked(db, pair.right))) {
          const removed = await removeLinks(db, [id, counterpartId])
          await db.insertInto('translation').values({ en_id: pair.right.en, fr_id: pair.right.fr }).execute()
          const changes = [translationChange(otherSideOf(removed, id), counterpartId)]
          await recordAct(db, act, { kind: 'library', id }, changes)
        }
        return E.right(counterpart)
      }),

    unlink: (id, act) =>
      database.write(async (db): Promise<E.Either<ItemNotFound | CounterpartNotFound, void>> => {
        const counterpart = otherSideOf(await removeLinks(db, [id]), id)
        if (counterpart !== undefined) {
          await recordAct(db, act, { kind: 'library', id }, [translationChange(counterpart, undefined)])
          return E.right(undefined)
        }
        const item = await db.selectFrom('library_item').select('id').where('id', '=', id).executeTakeFirst()
        return E.left(item === undefined ? ITEM_NOT_FOUND : COUNTERPART_NOT_FOUND)
      }),
  }
}
