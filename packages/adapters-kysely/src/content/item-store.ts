import type { Instant, ItemId, Unavailable } from '@almoner/domain'
import type { Act, Receipt } from '@almoner/domain/access'
import {
  type Cursor,
  HAS_COUNTERPART,
  type HasCounterpart,
  ITEM_NOT_FOUND,
  type ItemCore,
  type ItemNotFound,
  type ItemQuery,
  leadsOf,
  missingChanges,
  type ScheduledChange,
  type ScheduledMoment,
  searchTextOf,
  textsOf,
  type Visible,
} from '@almoner/domain/content'
import {
  type ContentType,
  type ItemFields,
  itemPart,
  type NewRevision,
  revisionOf,
} from '@almoner/domain/history'
import type { ImageMissing, ItemStore, ItemWrite, ItemWritten, NothingDone } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { keepReceipt, makeHoldBinding, makeHoldReceipt } from '../access/tokens.ts'
import { makeRecordChanges } from '../changes.ts'
import {
  columnList,
  type Database,
  type Db,
  placeholders,
  queryCache,
  type SearchableItem,
  type SqlDialect,
} from '../database/database.ts'
import { makeList } from '../database/ordered-table.ts'
import { findInLists, insertChunks, paddedInLists } from '../database/writes.ts'
import { holdImages, linkToImages } from '../media.ts'
import type { ItemRow } from '../schema/item.table.ts'
import { closeProposal } from './proposals.ts'
import { makeRemovals } from './removals.ts'
import { type ContentTable, makeSelectItems } from './select-items.ts'

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

/** Returns a statement that inserts this number of rows. */
const insertRows = (table: string, columns: ReadonlyArray<string>, rows: number): string =>
  `insert into ${table} (${columnList(columns)}) values ${Array.from({ length: rows }, () => `(${placeholders(columns)})`).join(', ')}`

const INSERT_REVISION = insertRows('audit_record', REVISION_COLUMNS, 1)

const supersede = (ids: string): string => `update audit_record set is_latest = 0
  where subject_id ${ids} and number is not null and subject_kind = ? and is_latest = 1`

const SUPERSEDE_LATEST = supersede('= ?')

const revisionCells = (
  { at, actor, action, subject, number, changes, state }: NewRevision,
  isLatest: 0 | 1 = 1,
) => [
  at,
  actor.kind,
  actor.id,
  action,
  subject.kind,
  subject.id,
  number.value,
  isLatest,
  changes === undefined ? null : JSON.stringify(changes),
  JSON.stringify(state),
]

/** Returns what a write changes for copies (N2). `before` is the item until then. */
const changeOf = <Item extends ItemCore & Visible>(
  kind: ContentType,
  before: Item | undefined,
  { id, updatedAt }: Item,
) => ({
  ...{ kind, id, aspect: 'own' as const },
  ...(before !== undefined && { leads: leadsOf(before, updatedAt) }),
})

/**
 * Makes a function that stores the records of a write of an item, inside the transaction that writes the item: the change for copies, and the
 * revision. Without an act, or if no field changed, there is no revision (K1).
 */
const makeRecordWrite = <Item extends ItemCore & Visible>(fields: ItemFields<Item>, dialect: SqlDialect) => {
  const run = queryCache()
  const recordChanges = makeRecordChanges(dialect)
  return async (db: Db, before: Item | undefined, after: Item, act: Act | undefined): Promise<void> => {
    await recordChanges(db, [changeOf(fields.contentType, before, after)])
    const record = act === undefined ? O.none : revisionOf(fields, before, after, act)
    if (O.isNone(record)) return
    const { subject } = record.value
    if (before !== undefined) await run(db, SUPERSEDE_LATEST, [subject.id, subject.kind])
    await run(db, INSERT_REVISION, revisionCells(record.value))
  }
}

/** Makes the functions that read and write what the moments of schedules do to the items of a table (C15). */
const makeSchedules = <
  Item extends ItemCore & Visible,
  Row extends ItemRow,
  Query,
  K extends string | number,
>(
  content: ContentTable<Item, Row, Query, K>,
  dialect: SqlDialect,
) => {
  const recordChanges = makeRecordChanges(dialect)
  const { contentType, table } = content
  const run = queryCache()
  const moments = (column: string) =>
    `select * from (select id, ${column} as at from ${table} where ${column} is not null order by ${column}, id limit ?) as ${column}s`
  const upcoming = `select id, at from (${moments('publish_at')} union all ${moments('archive_at')}) as moments order by at, id limit ?`
  const taken = content.columns.filter((column) => column !== 'id')
  // The names on the right are those of the row before (C18).
  const wasLive = `was_live = case when ${table}.status = 'Live' then 1 else ${table}.was_live end`
  const replaced = [...taken.map((column) => `${column} = excluded.${column}`), wasLive].join(', ')

  /** Writes the rows of items that exist: one statement for many of them. */
  const write = async (db: Db, items: ReadonlyArray<Item>): Promise<void> => {
    for (const some of insertChunks(items)) {
      const cells = some.map(content.toRow).flatMap((row) => content.columns.map((column) => row[column]))
      const inserted = insertRows(table, content.columns, some.length)
      await run(db, `${inserted} on conflict (id) do update set ${replaced}`, cells)
    }
  }

  /** Stores the records of changes of several items, in the order given (K1). */
  const record = async (
    db: Db,
    before: ReadonlyMap<ItemId, Item>,
    changes: ReadonlyArray<ScheduledChange<Item>>,
  ): Promise<void> => {
    const present = new Map(before)
    const records = changes.flatMap(({ item, act, missing }) => {
      const revision = revisionOf(content, present.get(item.id), item, act, missingChanges(missing))
      present.set(item.id, item)
      return O.isSome(revision) ? [revision.value] : []
    })
    const latest = new Set(new Map(records.map((one) => [one.subject.id, one])).values())
    for (const ids of paddedInLists([...before.keys()]))
      await run(db, supersede(`in (${placeholders(ids)})`), [...ids, contentType])
    for (const some of insertChunks(records)) {
      const cells = some.flatMap((one) => revisionCells(one, latest.has(one) ? 1 : 0))
      await run(db, insertRows('audit_record', REVISION_COLUMNS, some.length), cells)
    }
  }

  return {
    upcoming: async (db: Db, most: number): Promise<ReadonlyArray<ScheduledMoment>> => {
      const rows = await run<{ readonly id: ItemId; readonly at: Instant }>(db, upcoming, [most, most, most])
      return rows.map(({ id, at }) => ({ itemId: id, at }))
    },
    /** Writes the changes of items; `before` has the items as they are. */
    carryOut: async (
      db: Db,
      before: ReadonlyMap<ItemId, Item>,
      changes: ReadonlyArray<ScheduledChange<Item>>,
    ): Promise<void> => {
      const items = [...new Map(changes.map(({ item }) => [item.id, item])).values()]
      await write(db, items)
      await recordChanges(
        db,
        items.map((item) => changeOf(contentType, before.get(item.id), item)),
      )
      await record(db, before, changes)
    },
  }
}

type ChangeError = ItemNotFound | ImageMissing | HasCounterpart | NothingDone

/** Makes the item store of one content type. */
export const makeItemStore = <
  Item extends ItemCore & Visible,
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

  const several = (list: ReadonlyArray<ItemId>) =>
    `select ${columns} from ${table} where id in (${placeholders(list)})`

  const findAll = async (db: Db, ids: ReadonlyArray<ItemId>): Promise<ReadonlyArray<Item>> => {
    const rows = await findInLists([...new Set(ids)], (list) => run<Row>(db, several(list), list))
    return rows.map(content.fromRow)
  }

  const cells = (row: Row, names: ReadonlyArray<keyof Row & string>) => names.map((column) => row[column])

  const added = `insert into ${table} (${columns}) values (${placeholders(content.columns)})`
  const recordAuthor = content.makeRecordAuthor?.()
  const insert = (db: Db, row: Row) => run(db, added, cells(row, content.columns))

  const rewritten = content.columns.filter((column) => column !== 'id')
  const changed = `update ${table} set (${columnList(rewritten)}) = (${placeholders(rewritten)}) where id = ?`
  const leftLive = `update ${table} set (${columnList(rewritten)}, was_live) = (${placeholders(rewritten)}, 1) where id = ?`
  const update = (db: Db, before: Row, row: Row) =>
    run(db, before.status === 'Live' && row.status !== 'Live' ? leftLive : changed, [
      ...cells(row, rewritten),
      row.id,
    ])

  const record = makeRecordWrite(content, dialect)
  const schedules = makeSchedules(content, dialect)
  const keepBase = content.makeKeepBase?.(dialect)
  const holdBinding = makeHoldBinding()
  const holdReceipt = makeHoldReceipt()

  const holderOf = ({ id }: Item) => ({ contentType, id })

  const searchable = (item: Item): SearchableItem => ({
    id: item.id,
    date: content.cursorOf(item).key,
    text: searchTextOf(item),
  })

  /** Decides on a change, and closes the proposal that it carries out (C16). One of the language of an item with a counterpart is rejected (J7). */
  const decideOn = async <L>(
    db: Db,
    before: Item,
    decide: (current: Item) => E.Either<L, ItemWrite<Item>>,
  ): Promise<E.Either<L | HasCounterpart | ItemNotFound, ItemWrite<Item>>> => {
    const decided = decide(before)
    if (E.isLeft(decided)) return decided
    const { item, carriesOut } = decided.right
    if (item.lang !== before.lang && (await content.hasCounterpart?.(db, before.id)))
      return E.left(HAS_COUNTERPART)
    if (carriesOut === undefined) return decided
    const { id, publishAt } = carriesOut
    const closed = await closeProposal(db, { contentType, itemId: item.id, id }, item.updatedAt, publishAt)
    return closed === undefined ? E.left(ITEM_NOT_FOUND) : decided
  }

  /** Takes a change of words or of the date into the search index, and one of words into the base of the item's pair. */
  const followChange = async (db: Db, before: Item, item: Item): Promise<void> => {
    const isSame = textsOf(before) === textsOf(item)
    if (!isSame || content.cursorOf(before).key !== content.cursorOf(item).key)
      await dialect.search.replace(db, contentType, searchable(item))
    if (!isSame) await keepBase?.(db, before, item)
  }

  return {
    ...makeRemovals(database, content),
    find: (id) => database.read((db) => find(db, id)),
    findAll: (ids) => database.read((db) => findAll(db, ids)),
    list: makeList(database, content, { select: select.rows, count: select.count }),
    add: ({ item, linksToImages, author, act }, receipt) =>
      database.write(
        async (db): Promise<E.Either<NothingDone, void>> => {
          const isBound = await holdBinding(db, act)
          const held = await holdReceipt(db, receipt)
          await insert(db, content.toRow(item))
          if (author !== undefined)
            await recordAuthor?.(db, item, isBound ? author : { ...author, email: O.none })
          await dialect.search.add(db, contentType, searchable(item))
          if (linksToImages.length > 0) await linkToImages(db, holderOf(item), linksToImages)
          await record(db, undefined, item, act)
          return E.map(() => undefined)(await keepReceipt(db, held, item))
        },
        { notify: [itemPart(contentType, item.id)] },
      ),
    change: <L>(
      id: ItemId,
      decide: (current: Item) => E.Either<L, ItemWrite<Item>>,
      receipt?: Receipt<Item>,
    ) =>
      database.write(
        async (db): Promise<E.Either<L | ChangeError, ItemWritten<Item>>> => {
          const held = await holdReceipt(db, receipt)
          const current = await hold(db, id)
          if (current === undefined) return E.left(ITEM_NOT_FOUND)
          const before = content.fromRow(current)
          const decided = await decideOn(db, before, decide)
          if (E.isLeft(decided)) return decided
          const { item } = decided.right
          await update(db, current, content.toRow(item))
          await followChange(db, before, item)
          const orphans = await holdImages(db, holderOf(item), decided.right)
          if (E.isLeft(orphans)) return orphans
          await record(db, before, item, decided.right.act)
          return E.map(() => ({ item, orphans: orphans.right }))(await keepReceipt(db, held, item))
        },
        { notify: [itemPart(contentType, id)] },
      ),
    upcoming: (most) => database.read((db) => schedules.upcoming(db, most)),
    carryOut: (ids, decide) => async () => {
      const done = await database.write(
        async (db): Promise<E.Either<'nothing', ReadonlyArray<ScheduledChange<Item>>>> => {
          // An item that another transaction changes is decided on again afterwards: waiting for it would hold up the others.
          const rows = await findInLists([...new Set(ids)], (list) =>
            run<Row>(db, `${several(list)}${lock === '' ? '' : `${lock} skip locked`}`, list),
          )
          const found = new Map(rows.map((row) => [row.id, content.fromRow(row)]))
          const items = ids.flatMap((id) => found.get(id) ?? [])
          const changes = items.flatMap((item) => decide(item)).toSorted((one, other) => one.at - other.at)
          const before = new Map([...found].filter(([id]) => changes.some(({ item }) => item.id === id)))
          if (changes.length === 0) return E.left('nothing')
          await schedules.carryOut(db, before, changes)
          return E.right(changes)
        },
        { notify: ids.map((id) => itemPart(contentType, id)) },
      )()
      return E.isLeft(done) && done.left === 'nothing'
        ? E.right([])
        : (done as E.Either<Unavailable, ReadonlyArray<ScheduledChange<Item>>>)
    },
  }
}
