import { ITEM_NOT_FOUND, type ItemId, type ItemStore, type Place } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type RawBuilder, sql } from 'kysely'
import { inLists } from '../blocks.ts'
import type { Db } from '../engine.ts'
import type { Runner } from '../runner.ts'
import { holdImages, mentionImages } from './image-uses.ts'
import { makeList } from './list.ts'
import type { ShelfTable } from './shelf-table.ts'

/** The item store of one shelf. */
export const makeItemStore = <
  Item extends { readonly id: ItemId },
  NewItem extends Item,
  Row,
  Query,
  K extends string | number,
>(
  runner: Runner,
  shelf: ShelfTable<Item, Row, Query, K>,
): ItemStore<Item, NewItem, Query, Place<K>> => {
  const { dialect } = runner
  const table = sql.table(shelf.table)
  const columns = sql.join(shelf.columns.map((column) => sql.ref(column)))
  const lock = dialect.locksRows ? sql`for update` : sql``

  const find = async (db: Db, id: ItemId, suffix: RawBuilder<unknown>): Promise<O.Option<Item>> => {
    const { rows } = await sql<Row>`select ${columns} from ${table} where id = ${id} ${suffix}`.execute(db)
    return O.map(shelf.fromRow)(O.fromNullable(rows[0]))
  }

  const findAll = async (db: Db, ids: ReadonlyArray<ItemId>): Promise<ReadonlyArray<Item>> => {
    const items: Array<Item> = []
    for (const list of inLists([...new Set(ids)])) {
      const found = sql<Row>`select ${columns} from ${table} where id in (${sql.join(list)})`
      items.push(...(await found.execute(db)).rows.map(shelf.fromRow))
    }
    return items
  }

  const cells = (item: Item, names: ReadonlyArray<keyof Row & string>) => {
    const row = shelf.toRow(item)
    return sql.join(names.map((column) => row[column]))
  }

  const insert = (db: Db, item: Item) =>
    sql`insert into ${table} (${columns}) values (${cells(item, shelf.columns)})`.execute(db)

  const rewritten = shelf.columns.filter((column) => column !== 'id')
  const rewrittenRefs = sql.join(rewritten.map((column) => sql.ref(column)))
  const update = (db: Db, item: Item) =>
    sql`update ${table} set (${rewrittenRefs}) = (${cells(item, rewritten)}) where id = ${item.id}`.execute(
      db,
    )

  const holderOf = ({ id }: Item) => ({ shelf: shelf.shelf, id })

  return {
    find: (id) => runner.read((db) => find(db, id, sql``)),
    findAll: (ids) => runner.read((db) => findAll(db, ids)),
    list: makeList(runner, shelf),
    add: ({ item, mentions }) =>
      runner.write(async (db) => {
        await insert(db, item)
        return E.right(await mentionImages(db, dialect, holderOf(item), mentions))
      }),
    change: (id, decide) =>
      runner.write(async (db) => {
        const current = await find(db, id, lock)
        if (O.isNone(current)) return E.left(ITEM_NOT_FOUND)
        const decided = decide(current.value)
        if (E.isLeft(decided)) return decided
        const { item } = decided.right
        await update(db, item)
        const orphans = await holdImages(db, dialect, holderOf(item), decided.right)
        return E.isLeft(orphans) ? orphans : E.right({ item, orphans: orphans.right })
      }),
  }
}
