import {
  type ImageGone,
  ITEM_NOT_FOUND,
  type ItemCore,
  type ItemId,
  type ItemNotFound,
  type ItemStore,
  type ItemWrite,
  type ItemWritten,
  type NothingDone,
  type Place,
  type Receipt,
} from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { inLists } from '../../database/chunks.ts'
import { makeStatements } from '../../database/compiled-query.ts'
import { namesOf, placesFor } from '../../database/conditions.ts'
import type { Db } from '../../database/database.ts'
import type { Runner } from '../../database/runner.ts'
import type { ItemRow } from '../../schema/schema.ts'
import { keepReceipt } from '../idempotency/keep-receipt.ts'
import { holdImages, mentionImages } from './image-uses.ts'
import { makeList } from './list.ts'
import { makeReading } from './reading.ts'
import { makeRows } from './rows.ts'
import type { ShelfTable } from './shelf-table.ts'

type ChangeError = ItemNotFound | ImageGone | NothingDone

/** The item store of one shelf. */
export const makeItemStore = <
  Item extends ItemCore,
  NewItem extends Item,
  Row extends ItemRow,
  Query,
  K extends string | number,
>(
  runner: Runner,
  shelf: ShelfTable<Item, Row, Query, K>,
): ItemStore<Item, NewItem, Query, Place<K>> => {
  const { dialect } = runner
  const { table } = shelf
  const run = makeStatements()
  const columns = namesOf(shelf.columns)
  const one = `select ${columns} from ${table} where id = ?`
  const lock = dialect.locksRows ? ' for update' : ''

  const find = async (db: Db, id: ItemId): Promise<O.Option<Item>> => {
    const [row] = await run<Row>(db, one, [id])
    return O.map(shelf.fromRow)(O.fromNullable(row))
  }

  /** The item's row as it is, until the transaction ends. */
  const hold = async (db: Db, id: ItemId): Promise<Row | undefined> => {
    const [row] = await run<Row>(db, `${one}${lock}`, [id])
    return row
  }

  const findAll = async (db: Db, ids: ReadonlyArray<ItemId>): Promise<ReadonlyArray<Item>> => {
    const items: Array<Item> = []
    for (const list of inLists([...new Set(ids)])) {
      const found = `select ${columns} from ${table} where id in (${placesFor(list)})`
      items.push(...(await run<Row>(db, found, list)).map(shelf.fromRow))
    }
    return items
  }

  const cells = (row: Row, names: ReadonlyArray<keyof Row & string>) => names.map((column) => row[column])

  const added = `insert into ${table} (${columns}) values (${placesFor(shelf.columns)})`
  const insert = (db: Db, row: Row) => run(db, added, cells(row, shelf.columns))

  const rewritten = shelf.columns.filter((column) => column !== 'id')
  const changed = `update ${table} set (${namesOf(rewritten)}) = (${placesFor(rewritten)}) where id = ?`
  const update = (db: Db, row: Row) => run(db, changed, [...cells(row, rewritten), row.id])

  const holderOf = ({ id }: Item) => ({ shelf: shelf.shelf, id })

  return {
    find: (id) => runner.read((db) => find(db, id)),
    findAll: (ids) => runner.read((db) => findAll(db, ids)),
    list: makeList(runner, shelf, makeReading(shelf, makeRows(shelf))),
    add: ({ item, mentions }, receipt) =>
      runner.write(async (db): Promise<E.Either<NothingDone, void>> => {
        await insert(db, shelf.toRow(item))
        if (mentions.length > 0) await mentionImages(db, dialect, holderOf(item), mentions)
        return E.map(() => undefined)(await keepReceipt(db, receipt, item))
      }, 'content'),
    change: <L>(
      id: ItemId,
      decide: (current: Item) => E.Either<L, ItemWrite<Item>>,
      receipt?: Receipt<Item>,
    ) =>
      runner.write(async (db): Promise<E.Either<L | ChangeError, ItemWritten<Item>>> => {
        const current = await hold(db, id)
        if (current === undefined) return E.left(ITEM_NOT_FOUND)
        const decided = decide(shelf.fromRow(current))
        if (E.isLeft(decided)) return decided
        const { item } = decided.right
        await update(db, shelf.toRow(item))
        const orphans = await holdImages(db, dialect, holderOf(item), decided.right)
        if (E.isLeft(orphans)) return orphans
        const kept = await keepReceipt(db, receipt, item)
        return E.isLeft(kept) ? kept : E.right({ item, orphans: orphans.right })
      }, 'content'),
  }
}
