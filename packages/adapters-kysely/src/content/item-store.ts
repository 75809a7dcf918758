import type { FeedItem, Instant, ItemId } from '@almoner/domain'
import type { Act, Receipt } from '@almoner/domain/access'
import {
  type Cursor,
  feedCursor,
  HAS_COUNTERPART,
  type HasCounterpart,
  ITEM_NOT_FOUND,
  type ItemCore,
  type ItemNotFound,
  type ItemQuery,
  searchTextOf,
} from '@almoner/domain/content'
import { type ItemFields, type NewRevision, revisionOf } from '@almoner/domain/history'
import type {
  FeedAuthors,
  ImageMissing,
  ItemStore,
  ItemWrite,
  ItemWritten,
  NothingDone,
  OwnPostsQuery,
} from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { keepReceipt, makeHoldBinding } from '../access/tokens.ts'
import {
  columnList,
  condition,
  type Database,
  type Db,
  placeholders,
  queryCache,
  type SearchableItem,
} from '../database/database.ts'
import { makeList, type OrderedTable } from '../database/ordered-table.ts'
import { findInLists } from '../database/writes.ts'
import { holdImages, linkToImages } from '../media.ts'
import type { FeedItemRow, ItemRow } from '../schema/item.table.ts'
import { type ContentTable, makeSelectItems } from './select-items.ts'
import { feedTable } from './tables.ts'

/** The columns of a new revision, whose `id` the database counts up. */
const REVISION_COLUMNS = [
  'at',
  'actor_kind',
  'actor_id',
  'action',
  'subject_kind',
  'subject_id',
  'number',
  'is_latest',
  'changes',
  'state',
] as const

const INSERT_REVISION = `insert into audit_record (${columnList(REVISION_COLUMNS)}) values (${placeholders(REVISION_COLUMNS)})`

const SUPERSEDE_LATEST = `update audit_record set is_latest = 0
  where subject_id = ? and number is not null and subject_kind = ? and is_latest = 1`

const revisionCells = ({ at, actor, action, subject, number, changes, state }: NewRevision) => [
  at,
  actor.kind,
  actor.id,
  action,
  subject.kind,
  subject.id,
  number.value,
  1,
  changes === undefined ? null : JSON.stringify(changes),
  JSON.stringify(state),
]

/**
 * Makes a function that stores the record of a write of an item, inside the transaction that writes the item. Without an act, or if no field
 * changed, it stores nothing (K1).
 */
const makeRecordRevision = <Item extends ItemCore>(fields: ItemFields<Item>) => {
  const run = queryCache()
  return async (db: Db, before: Item | undefined, after: Item, act: Act | undefined): Promise<void> => {
    const record = act === undefined ? O.none : revisionOf(fields, before, after, act)
    if (O.isNone(record)) return
    const { subject } = record.value
    if (before !== undefined) await run(db, SUPERSEDE_LATEST, [subject.id, subject.kind])
    await run(db, INSERT_REVISION, revisionCells(record.value))
  }
}

type ChangeError = ItemNotFound | ImageMissing | HasCounterpart | NothingDone

/** Makes the item store of one content type. */
export const makeItemStore = <
  Item extends ItemCore,
  NewItem extends Item,
  Row extends ItemRow,
  Query extends ItemQuery,
  K extends string | number,
>(
  database: Database,
  content: ContentTable<Item, Row, Query, K>,
): ItemStore<Item, NewItem, Query, Cursor<K>> => {
  const { dialect } = database
  const { contentType, table } = content
  const select = makeSelectItems(dialect.search, content)
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

  const record = makeRecordRevision(content)
  const holdBinding = makeHoldBinding()

  const holderOf = ({ id }: Item) => ({ contentType, id })

  const searchable = (item: Item): SearchableItem => ({
    id: item.id,
    date: content.cursorOf(item).key,
    text: searchTextOf(item),
  })

  /** Decides on a change. One of the language of an item with a counterpart is rejected (J7). */
  const decideOn = async <L>(
    db: Db,
    before: Item,
    decide: (current: Item) => E.Either<L, ItemWrite<Item>>,
  ): Promise<E.Either<L | HasCounterpart, ItemWrite<Item>>> => {
    const decided = decide(before)
    if (E.isLeft(decided) || decided.right.item.lang === before.lang) return decided
    return (await content.hasCounterpart?.(db, before.id)) ? E.left(HAS_COUNTERPART) : decided
  }

  /** Takes a change into the search index, if it is one of words or of the date. */
  const reindex = async (db: Db, before: Item, item: Item): Promise<void> => {
    const isSame =
      before.title === item.title &&
      before.description === item.description &&
      content.cursorOf(before).key === content.cursorOf(item).key
    if (!isSame) await dialect.search.replace(db, contentType, searchable(item))
  }

  return {
    find: (id) => database.read((db) => find(db, id)),
    findAll: (ids) => database.read((db) => findAll(db, ids)),
    list: makeList(database, content, { select: select.rows, count: select.count }),
    add: ({ item, linksToImages, author, act }, receipt) =>
      database.write(
        async (db): Promise<E.Either<NothingDone, void>> => {
          const isBound = await holdBinding(db, act)
          await insert(db, content.toRow(item))
          if (author !== undefined)
            await recordAuthor?.(db, item, isBound ? author : { ...author, email: O.none })
          await dialect.search.add(db, contentType, searchable(item))
          if (linksToImages.length > 0) await linkToImages(db, holderOf(item), linksToImages)
          await record(db, undefined, item, act)
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
          const before = content.fromRow(current)
          const decided = await decideOn(db, before, decide)
          if (E.isLeft(decided)) return decided
          const { item } = decided.right
          await update(db, content.toRow(item))
          await reindex(db, before, item)
          const orphans = await holdImages(db, holderOf(item), decided.right)
          if (E.isLeft(orphans)) return orphans
          await record(db, before, item, decided.right.act)
          const kept = await keepReceipt(db, receipt, item)
          return E.isLeft(kept) ? kept : E.right({ item, orphans: orphans.right })
        },
        { notify: 'content' },
      ),
  }
}

/** Posts by their authors: in the order of the feed, by the index of authors. */
export const ownPosts: OrderedTable<FeedItem, FeedItemRow, OwnPostsQuery, Cursor<Instant>> = {
  table: 'feed_author join feed_item on feed_item.id = feed_author.item_id',
  columns: feedTable.columns,
  fromRow: feedTable.fromRow,
  cursorOf: feedCursor,
  order: () => ({
    columns: ['posted_at', 'item_id'],
    direction: 'desc',
    cells: ({ key, id }) => [key, id],
  }),
  conditions: ({ email, lang }) => [
    condition('email = ?', email),
    ...(O.isSome(lang) ? [condition('lang = ?', lang.value)] : []),
  ],
  isFiltered: ({ lang }) => O.isSome(lang),
}

/** The authors of posts (L3). */
export const makeFeedAuthors = (database: Database): FeedAuthors => ({
  list: makeList(database, ownPosts),
  ofPosts: (ids) =>
    database.read(async (db) => {
      const rows = await findInLists([...new Set(ids)], (list) =>
        db.selectFrom('feed_author').selectAll().where('item_id', 'in', list).execute(),
      )
      return new Map(
        rows.map(({ item_id, client_id, email }) => [
          item_id,
          { clientId: client_id, email: O.fromNullable(email) },
        ]),
      )
    }),
})
