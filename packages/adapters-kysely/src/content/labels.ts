import type { ItemId } from '@almoner/domain'
import type { TimedAct } from '@almoner/domain/access'
import {
  areSameLabels,
  ITEM_NOT_FOUND,
  type ItemNotFound,
  LABEL_NOT_FOUND,
  type Label,
  type LabelNotFound,
  type LabelsInUse,
  type LeftTopics,
  labelChange,
} from '@almoner/domain/content'
import type { ContentType } from '@almoner/domain/history'
import type { Labels, NothingDone } from '@almoner/domain/ports'
import type { LabelId } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { sql } from 'kysely'
import { keepReceipt } from '../access/tokens.ts'
import { makeRecordChanges, type RecordChanges, recordLabels } from '../changes.ts'
import {
  compiledQuery,
  type Database,
  type Db,
  param,
  placeholders,
  queryCache,
  type SqlDialect,
} from '../database/database.ts'
import { findInLists, paddedInList, paddedInLists, workOf } from '../database/writes.ts'
import { recordAct } from '../history.ts'

const COLUMNS = ['label.label_id as labelId', 'label.en', 'label.fr'] as const

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

/** Locks labels until the transaction ends, so that no load removes them, and returns the existing ones. */
export const lockedLabels = async (
  db: Db,
  labelIds: ReadonlyArray<LabelId>,
): Promise<ReadonlySet<LabelId>> => {
  const rows = await findInLists(labelIds, (list) =>
    db
      .selectFrom('label')
      .select('label_id')
      .where('label_id', 'in', list)
      .orderBy('label_id')
      .forShare()
      .execute(),
  )
  return new Set(rows.map(({ label_id }) => label_id))
}

/** What refers to labels in areas below this one. */
export interface LabelReferences {
  /** Returns those of some labels that may not be removed. */
  held(db: Db, labelIds: ReadonlyArray<LabelId>): Promise<ReadonlySet<LabelId>>
  /** Takes labels that a load removes from every preference (F6). Their rows are locked. */
  leave(db: Db, labelIds: ReadonlyArray<LabelId>): Promise<LeftTopics>
}

/** The load takes nothing from anybody. */
const NO_TOPICS: LeftTopics = { people: 0, everything: 0 }

/** What a load needs besides its labels. */
interface LoadContext {
  readonly dialect: SqlDialect
  readonly references: LabelReferences
  readonly recordChanges: RecordChanges
  readonly act: TimedAct | undefined
}

/**
 * Makes the set exactly this one, inside a transaction; LabelsInUse names those missing that items carry (E1) or
 * notifications that no review has started (G12). Of two at once the second one
 * waits, and replaces what the first has left.
 */
const replaceLabels = async (
  db: Db,
  labels: ReadonlyArray<Label>,
  { dialect, references, recordChanges, act }: LoadContext,
): Promise<E.Either<LabelsInUse, LeftTopics>> => {
  // Locks of rows would not do: neither load sees the rows that the other adds.
  if (dialect.locksRows) await sql`lock table label in share row exclusive mode`.execute(db)
  const before = await db.selectFrom('label').select(COLUMNS).orderBy('rank').execute()
  const kept = new Set(labels.map(({ labelId }) => labelId))
  const missing = before.map(({ labelId }) => labelId).filter((labelId) => !kept.has(labelId))
  // Preferences and new notifications hold the labels that they name.
  for (const list of paddedInLists(missing))
    await db
      .selectFrom('label')
      .select('label_id')
      .where('label_id', 'in', list)
      .orderBy('label_id')
      .forUpdate()
      .execute()
  const used: Array<LabelId> = []
  const held = await references.held(db, missing)
  for (const labelId of missing) if (held.has(labelId) || (await isAttached(db, labelId))) used.push(labelId)
  if (used.length > 0) return E.left({ _tag: 'LabelsInUse', labelIds: used })
  const left = missing.length === 0 ? NO_TOPICS : await references.leave(db, missing)
  for (const labelId of missing) await db.deleteFrom('label').where('label_id', '=', labelId).execute()
  for (const [rank, label] of labels.entries()) await put(db, label, rank)
  if (!areSameLabels(before, labels)) {
    await recordAct(db, act, { kind: 'labels', id: '' })
    await recordLabels(db, recordChanges, { before, after: labels, at: act?.at })
  }
  return E.right(left)
}

const ATTACHMENTS = { library: 'library_label', feed: 'feed_label' } as const
const ITEMS = { library: 'library_item', feed: 'feed_item' } as const

const itemExists = async (
  db: Db,
  contentType: ContentType,
  id: ItemId,
): Promise<E.Either<ItemNotFound, void>> => {
  const items = db.selectFrom(ITEMS[contentType]).select('id').where('id', '=', id)
  // A deletion of the item comes wholly before, or after.
  const found = await items.forShare().executeTakeFirst()
  return found === undefined ? E.left(ITEM_NOT_FOUND) : E.right(undefined)
}

const allLabels = () =>
  compiledQuery((db) => db.selectFrom('label').select(COLUMNS).orderBy('rank').compile())

const labelsOn = (contentType: ContentType) =>
  compiledQuery((db) =>
    db
      .selectFrom(`${ATTACHMENTS[contentType]} as carried`)
      .innerJoin('label', 'label.label_id', 'carried.label_id')
      .select(COLUMNS)
      .where('carried.item_id', '=', param<ItemId>(0))
      .orderBy('label.rank')
      .compile(),
  )

interface Carried extends Label {
  readonly itemId: ItemId
}

/** Reads the labels of several items by one statement. */
const readLabelsOf = (contentType: ContentType) => {
  const run = queryCache()
  return async (db: Db, itemIds: ReadonlyArray<ItemId>) => {
    const found = new Map<ItemId, Array<Label>>()
    if (itemIds.length === 0) return found
    const ids = paddedInList(itemIds)
    const rows = await run<Carried>(
      db,
      `select item_id as "itemId", label.label_id as "labelId", en, fr
        from ${ATTACHMENTS[contentType]} as carried join label on label.label_id = carried.label_id
        where item_id in (${placeholders(ids)}) order by label.rank`,
      ids,
    )
    for (const { itemId, labelId, en, fr } of rows) {
      const labels = found.get(itemId) ?? []
      labels.push({ labelId, en, fr })
      found.set(itemId, labels)
    }
    return found
  }
}

const reading = (database: Database): Pick<Labels, 'all' | 'ofItem' | 'ofItems'> => {
  const all = allLabels()
  const ofItems = { library: readLabelsOf('library'), feed: readLabelsOf('feed') }
  const carried = { library: labelsOn('library'), feed: labelsOn('feed') }
  return {
    all: () => database.read((db): Promise<ReadonlyArray<Label>> => all(db, [])),
    ofItem: (contentType, itemId) =>
      database.read((db): Promise<ReadonlyArray<Label>> => carried[contentType](db, [itemId])),
    ofItems: (contentType, itemIds) =>
      database.read((db) => ofItems[contentType](db, itemIds), workOf(itemIds)),
  }
}

/** Labels and what carries them (E1, E2). */
export const makeLabels = (database: Database, references: LabelReferences): Labels => {
  const recordChanges = makeRecordChanges(database.dialect)
  return {
    ...reading(database),

    attach: (contentType, itemId, labelId, receipt, act) =>
      database.write(
        async (db): Promise<E.Either<ItemNotFound | LabelNotFound | NothingDone, Label>> => {
          const item = await itemExists(db, contentType, itemId)
          if (E.isLeft(item)) return item
          const label = await db
            .selectFrom('label')
            .select(COLUMNS)
            .where('label_id', '=', labelId)
            // A load that renames the label records its items (N2): it has to see this one, or to come first.
            .forShare()
            .executeTakeFirst()
          if (label === undefined) return E.left(LABEL_NOT_FOUND)
          const attached = await db
            .insertInto(ATTACHMENTS[contentType])
            .values({ item_id: itemId, label_id: labelId })
            .onConflict((conflict) => conflict.doNothing())
            .returning('label_id')
            .executeTakeFirst()
          await database.dialect.search.relabel(db, contentType, itemId)
          if (attached !== undefined) {
            await recordAct(db, act, { kind: contentType, id: itemId }, [labelChange(null, labelId)])
            await recordChanges(db, [{ kind: contentType, id: itemId, aspect: 'labels' }])
          }
          return keepReceipt(db, receipt, label)
        },
        { notify: ['labels'] },
      ),

    detach: (contentType, itemId, labelId, act) =>
      database.write(
        async (db): Promise<E.Either<ItemNotFound | LabelNotFound, void>> => {
          const item = await itemExists(db, contentType, itemId)
          if (E.isLeft(item)) return item
          const gone = await db
            .deleteFrom(ATTACHMENTS[contentType])
            .where('item_id', '=', itemId)
            .where('label_id', '=', labelId)
            .returning('label_id')
            .executeTakeFirst()
          if (gone === undefined) return E.left(LABEL_NOT_FOUND)
          await database.dialect.search.relabel(db, contentType, itemId)
          await recordAct(db, act, { kind: contentType, id: itemId }, [labelChange(labelId, null)])
          await recordChanges(db, [{ kind: contentType, id: itemId, aspect: 'labels' }])
          return E.right(undefined)
        },
        { notify: ['labels'] },
      ),

    replaceAll: (labels, act) =>
      database.write(
        (db): Promise<E.Either<LabelsInUse, LeftTopics>> =>
          replaceLabels(db, labels, { dialect: database.dialect, references, recordChanges, act }),
        { notify: ['labels', 'people'] },
      ),
  }
}
