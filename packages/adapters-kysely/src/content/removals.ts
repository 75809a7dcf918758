import type { Instant, ItemId } from '@almoner/domain'
import {
  type Cursor,
  type DeletionId,
  type DraftRemoval,
  ITEM_NOT_FOUND,
  type ItemCore,
  type ItemNotFound,
  type ItemQuery,
  searchTextOf,
  type Visible,
} from '@almoner/domain/content'
import { itemPart, wholeChanges } from '@almoner/domain/history'
import type { ItemStore, NothingDone } from '@almoner/domain/ports'
import { type LabelId, latestNoted } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { keepReceipt, makeHoldReceipt } from '../access/tokens.ts'
import { makeRecordChanges } from '../changes.ts'
import { columnList, type Database, type Db, placeholders, queryCache } from '../database/database.ts'
import { paddedInList, quietly } from '../database/writes.ts'
import { deleteRecordedReasons, recordAct } from '../history.ts'
import { handOver, letGo, takeBack } from '../media.ts'
import type { DeletedItemRow, ItemRow } from '../schema/item.table.ts'
import { lockedLabels } from './labels.ts'
import type { ContentTable } from './select-items.ts'
import { linkAgain, takeLink } from './translations.ts'

/** Deleted items that one purge forgets at most. */
const PURGE = 200

/** Returns the holder of the images of a deleted item. */
const holderOf = (deletionId: DeletionId): string => `deletion ${deletionId}`

/** Makes the functions that delete items, put them back and forget them (C18). */
export const makeRemovals = <
  Item extends ItemCore & Visible,
  Row extends ItemRow,
  Query extends ItemQuery,
  K extends string | number,
>(
  database: Database,
  content: ContentTable<Item, Row, Query, K>,
): Pick<ItemStore<Item, Item, Query, Cursor<K>>, 'remove' | 'putBack' | 'purgeRemoved'> => {
  const { dialect } = database
  const { contentType, table } = content
  const run = queryCache()
  const recordChanges = makeRecordChanges(dialect)
  const holdReceipt = makeHoldReceipt()
  const hold = `select ${columnList(content.columns)}, was_live from ${table} where id = ?${dialect.locksRows ? ' for update' : ''}`
  const insert = `insert into ${table} (${columnList(content.columns)}) values (${placeholders(content.columns)})`

  /** Deletes the rows of an item, and returns their content. */
  const takeApart = async (db: Db, item: Item) => {
    const { id } = item
    const labels = await run<{ readonly label_id: LabelId }>(
      db,
      `delete from ${contentType}_label where item_id = ? returning label_id`,
      [id],
    )
    const author =
      contentType === 'feed'
        ? await db
            .deleteFrom('feed_author')
            .where('item_id', '=', id)
            .returning(['client_id', 'email'])
            .executeTakeFirst()
        : undefined
    const link = contentType === 'library' ? await takeLink(db, id) : undefined
    await dialect.search.remove(db, contentType, id)
    await run(db, `delete from ${table} where id = ?`, [id])
    await run(
      db,
      'update audit_record set is_latest = 0 where subject_id = ? and number is not null and subject_kind = ? and is_latest = 1',
      [id, contentType],
    )
    return {
      labels: JSON.stringify(labels.map(({ label_id }) => label_id)),
      author_client: author?.client_id ?? null,
      author_email: author?.email ?? null,
      counterpart_id: link?.counterpart ?? null,
      en_base: link?.en_base ?? null,
      fr_base: link?.fr_base ?? null,
    }
  }

  /** Writes the rows of an item as they were. */
  const putTogether = async (
    db: Db,
    item: Item,
    row: DeletedItemRow,
    labels: Iterable<LabelId>,
  ): Promise<void> => {
    const cells = content.toRow(item)
    await run(
      db,
      insert,
      content.columns.map((column) => cells[column]),
    )
    const { id } = item
    const text = { id, date: content.cursorOf(item).key, text: searchTextOf(item) }
    await dialect.search.add(db, contentType, text)
    for (const labelId of labels)
      await run(db, `insert into ${contentType}_label (item_id, label_id) values (?, ?)`, [id, labelId])
    await dialect.search.relabel(db, contentType, id)
    if (row.author_client !== null)
      await content.makeRecordAuthor?.()(db, item, {
        clientId: row.author_client,
        email: O.fromNullable(row.author_email),
      })
    if (row.counterpart_id !== null) await linkAgain(db, item, { ...row, counterpart: row.counterpart_id })
    await takeBack(db, { contentType, id }, holderOf(row.deletion_id))
    await run(
      db,
      `update audit_record set is_latest = 1 where subject_id = ? and subject_kind = ? and number = (
        select max(number) from audit_record where subject_id = ? and subject_kind = ? and number is not null)`,
      [id, contentType, id, contentType],
    )
  }

  const found = async (
    db: Db,
    id: ItemId,
    { deletionId, act }: DraftRemoval,
    madeSince: Instant,
  ): Promise<DeletedItemRow | undefined> =>
    db
      .selectFrom('deleted_item')
      .selectAll()
      .where('deletion_id', '=', deletionId)
      .where('content_type', '=', contentType)
      .where('item_id', '=', id)
      .where('deleted_at', '>=', madeSince)
      .where('deleted_at', '<=', latestNoted(act.at))
      .executeTakeFirst()

  return {
    remove: <L>(id: ItemId, decide: Parameters<ItemStore<Item, Item, Query, Cursor<K>>['remove']>[1]) =>
      database.write(
        async (db): Promise<E.Either<L | ItemNotFound, Item>> => {
          const [row] = await run<Row & { readonly was_live: number }>(db, hold, [id])
          if (row === undefined) return E.left(ITEM_NOT_FOUND)
          const item = content.fromRow(row)
          const decided = decide(item, row.status === 'Live' || row.was_live === 1)
          if (E.isLeft(decided)) return decided as E.Left<L>
          const { deletionId, act } = decided.right
          await handOver(db, { contentType, id }, holderOf(deletionId))
          const { was_live: _, ...kept } = row
          const parts = await takeApart(db, item)
          await db
            .insertInto('deleted_item')
            .values({
              ...{ deletion_id: deletionId, content_type: contentType, item_id: id, deleted_at: act.at },
              ...{ item: JSON.stringify(kept), ...parts },
            })
            .execute()
          await recordAct(db, act, { kind: contentType, id }, wholeChanges(content.fieldsOf(item), false))
          await recordChanges(db, [{ kind: contentType, id, aspect: 'own', gone_at: act.at }])
          // After the new change, whose position is behind all others.
          await run(db, "delete from content_change where kind = ? and id = ? and aspect <> 'own'", [
            contentType,
            id,
          ])
          return E.right(item)
        },
        { notify: [itemPart(contentType, id), 'labels', 'images'] },
      ),

    putBack: (id, removal, madeSince, receipt) =>
      database.write(
        async (db): Promise<E.Either<ItemNotFound | NothingDone, Item>> => {
          const held = await holdReceipt(db, receipt)
          const { deletionId, act } = removal
          const looked = await found(db, id, removal, madeSince)
          if (looked === undefined) return E.left(ITEM_NOT_FOUND)
          // Labels are locked before items: a load may remove some.
          const labels = await lockedLabels(db, JSON.parse(looked.labels) as ReadonlyArray<LabelId>)
          // Of two that put it back at once, one deletes the row; an erasure may have taken the author out of it.
          const row = await db
            .deleteFrom('deleted_item')
            .where('deletion_id', '=', deletionId)
            .returningAll()
            .executeTakeFirst()
          if (row === undefined) return E.left(ITEM_NOT_FOUND)
          const item = content.fromRow(JSON.parse(row.item) as Row)
          await putTogether(db, item, row, labels)
          await recordAct(db, act, { kind: contentType, id }, wholeChanges(content.fieldsOf(item), true))
          await recordChanges(db, [{ kind: contentType, id, aspect: 'own' }])
          return keepReceipt(db, held, item)
        },
        { notify: [itemPart(contentType, id), 'labels', 'images'] },
      ),

    purgeRemoved: (removedBy, now) =>
      quietly(database, async (db) => {
        const rows = await db
          .selectFrom('deleted_item')
          .select('deletion_id')
          .where('content_type', '=', contentType)
          .where(({ or, eb }) =>
            or([eb('deleted_at', '<=', removedBy), eb('deleted_at', '>', latestNoted(now))]),
          )
          .orderBy('deleted_at')
          .limit(PURGE)
          .execute()
        const ids = rows.map(({ deletion_id }) => deletion_id)
        if (ids.length === 0) return { items: 0, orphans: [] }
        const gone = await db
          .deleteFrom('deleted_item')
          .where('deletion_id', 'in', paddedInList(ids))
          .returning(['deletion_id', 'item_id', 'author_email'])
          .execute()
        // From now on an erasure of the author does not find the post.
        const authored = gone.filter(({ author_email }) => author_email !== null)
        if (contentType === 'feed')
          await deleteRecordedReasons(db, authored.map(({ item_id }) => item_id).sort())
        const orphans = await letGo(
          db,
          gone.map(({ deletion_id }) => holderOf(deletion_id)),
        )
        return { items: gone.length, orphans }
      }),
  }
}
