import type { ItemId } from '@almoner/domain'
import { type Cursor, ITEM_NOT_FOUND, type ItemCore, type ItemNotFound } from '@almoner/domain/library'
import type {
  ImageMissing,
  ItemStore,
  ItemWrite,
  ItemWritten,
  NothingDone,
  Receipt,
} from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { findInLists } from '../../database/chunks.ts'
import { queryCache } from '../../database/compiled-query.ts'
import { columnList, placeholders } from '../../database/conditions.ts'
import type { Database, Db } from '../../database/database.ts'
import type { ItemRow } from '../../schema/item.table.ts'
import { makeList } from '../collections/list.ts'
import { keepReceipt } from '../idempotency-keys.ts'
import type { ContentTable } from './content-table.ts'
import { holdImages, linkToImages } from './image-uses.ts'

type ChangeError = ItemNotFound | ImageMissing | NothingDone

/** Makes the item store of one content type. */
export const makeItemStore = <
  Item extends ItemCore,
  NewItem extends Item,
  Row extends ItemRow,
  Query,
  K extends string | number,
>(
  database: Database,
  content: ContentTable<Item, Row, Query, K>,
): ItemStore<Item, NewItem, Query, Cursor<K>> => {
  const { dialect } = database
  const { table } = content
  const run = queryCache()
  const columns = columnList(content.columns)
  const one = `select ${columns} from ${table} where id = ?`
  const lock = dialect.locksRows ? ' for update' : ''

  const find = async (db: Db, id: ItemId): Promise<O.Option<Item>> => {
    const [row] = await run<Row>(db, one, [id])
    return O.map(content.fromRow)(O.fromNullable(row))
  }

  /** The item's row as it is, until the transaction ends. */
  const hold = async (db: Db, id: ItemId): Promise<Row | undefined> => {
    const [row] = await run<Row>(db, `${one}${lock}`, [id])
    return row
  }

  const findAll = async (db: Db, ids: ReadonlyArray<ItemId>): Promise<ReadonlyArray<Item>> => {
    const rows = await findInLists([...new Set(ids)], (list) =>
      run<Row>(db, `select ${columns} from ${table} where id in (${placeholders(list)})`, list),
    )
    return rows.map(content.fromRow)
  }

  const cells = (row: Row, names: ReadonlyArray<keyof Row & string>) => names.map((column) => row[column])

  const added = `insert into ${table} (${columns}) values (${placeholders(content.columns)})`
  const recordAuthor = content.makeRecordAuthor?.()
  const insert = (db: Db, row: Row) => run(db, added, cells(row, content.columns))

  const rewritten = content.columns.filter((column) => column !== 'id')
  const changed = `update ${table} set (${columnList(rewritten)}) = (${placeholders(rewritten)}) where id = ?`
  const update = (db: Db, row: Row) => run(db, changed, [...cells(row, rewritten), row.id])

  const holderOf = ({ id }: Item) => ({ contentType: content.contentType, id })

  return {
    find: (id) => database.read((db) => find(db, id)),
    findAll: (ids) => database.read((db) => findAll(db, ids)),
    list: makeList(database, content),
    add: ({ item, linksToImages, author }, receipt) =>
      database.write(
        async (db): Promise<E.Either<NothingDone, void>> => {
          await insert(db, content.toRow(item))
          if (author !== undefined) await recordAuthor?.(db, item, author)
          if (linksToImages.length > 0) await linkToImages(db, holderOf(item), linksToImages)
          return E.map(() => undefined)(await keepReceipt(db, receipt, item))
        },
        { notify: 'content' },
      ),
    change: <L>(
      id: ItemId,
      decide: (current: Item) => E.Either<L, ItemWrite<Item>>,
      receipt?: Receipt<Item>,
    ) =>
      database.write(
        async (db): Promise<E.Either<L | ChangeError, ItemWritten<Item>>> => {
          const current = await hold(db, id)
          if (current === undefined) return E.left(ITEM_NOT_FOUND)
          const decided = decide(content.fromRow(current))
          if (E.isLeft(decided)) return decided
          const { item } = decided.right
          await update(db, content.toRow(item))
          const orphans = await holdImages(db, holderOf(item), decided.right)
          if (E.isLeft(orphans)) return orphans
          const kept = await keepReceipt(db, receipt, item)
          return E.isLeft(kept) ? kept : E.right({ item, orphans: orphans.right })
        },
        { notify: 'content' },
      ),
  }
}
