import {
  type Condition,
  condition,
  type Db,
  type ItemDate,
  queryCache,
  type SearchableItem,
  type SearchIndex,
  type SearchSource,
} from '@almoner/adapters-kysely'
import type { ContentType } from '@almoner/domain/history'
import * as O from 'fp-ts/lib/Option.js'
import { searchFor } from './match-expression.ts'
import { BLOCK_BITS, blockOf } from './positions.ts'

const run = queryCache()

/** The first position of a block. SQLite receives large numbers of JavaScript as floating point. */
const START = `(cast(? as integer) << ${BLOCK_BITS})`

/** Bounds of a column of positions by the dates of items. */
const boundsOf = (
  column: string,
  { from, until }: { readonly from: O.Option<ItemDate>; readonly until: O.Option<ItemDate> },
): ReadonlyArray<Condition> => [
  ...(O.isSome(from) ? [condition(`${column} >= ${START}`, blockOf(from.value))] : []),
  ...(O.isSome(until) ? [condition(`${column} < ${START}`, blockOf(until.value) + 1)] : []),
]

/** Gives an item the next position in the block of its date. */
const insertText = (contentType: ContentType) => `
  insert into ${contentType}_search (position, item_id, words)
  values (
    coalesce((
      select position + 1 from ${contentType}_search where position >= ${START} and position < ${START}
      order by position desc limit 1
    ), ${START}), ?, ?
  )`

const insertTerms = (contentType: ContentType) => `
  insert into ${contentType}_words (rowid, words)
  select position, words || coalesce((
    select group_concat(' _' || hex(label_id), '') from ${contentType}_label where item_id = text.item_id
  ), '')
  from ${contentType}_search as text where item_id = ?`

const deleteTerms = (contentType: ContentType) =>
  `delete from ${contentType}_words where rowid = (select position from ${contentType}_search where item_id = ?)`

const deleteText = (contentType: ContentType) => `delete from ${contentType}_search where item_id = ?`

const addText = (db: Db, contentType: ContentType, { id, date, text }: SearchableItem) => {
  const block = blockOf(date)
  return run(db, insertText(contentType), [block, block + 1, block, id, text])
}

/** A new item has no labels, and its position is the last one that was inserted. */
const insertNewTerms = (contentType: ContentType) =>
  `insert into ${contentType}_words (rowid, words) values (last_insert_rowid(), ?)`

const itemsBehind = (contentType: ContentType, tables: string): string =>
  `${tables} cross join ${contentType}_item on ${contentType}_item.id = ${contentType}_search.item_id`

/**
 * The words of items in an FTS5 index without content. Its row numbers are positions in the order of the items, so that it yields the newest
 * first. `…_search` holds the position and the words of each item.
 */
export const FTS5_INDEX: SearchIndex = {
  tables: (contentType) => [
    `create table ${contentType}_search (
      position integer not null primary key,
      item_id text not null unique references ${contentType}_item (id),
      words text not null
    ) strict`,
    `create virtual table ${contentType}_words using fts5 (
      words, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_'"
    )`,
    `create virtual table ${contentType}_terms using fts5vocab (${contentType}_words, instance)`,
  ],
  add: async (db, contentType, item) => {
    await addText(db, contentType, item)
    await run(db, insertNewTerms(contentType), [item.text])
  },
  replace: async (db, contentType, item) => {
    await run(db, deleteTerms(contentType), [item.id])
    await run(db, deleteText(contentType), [item.id])
    await addText(db, contentType, item)
    await run(db, insertTerms(contentType), [item.id])
  },
  relabel: async (db, contentType, id) => {
    await run(db, deleteTerms(contentType), [id])
    await run(db, insertTerms(contentType), [id])
  },
  find: async (db, { contentType, words, labelId, ...dates }): Promise<SearchSource> => {
    const labels = O.isSome(labelId) ? [labelId.value] : []
    const { expression, others } = await searchFor(db, contentType, words, labels)
    const isIndexed = expression !== ''
    const [search, index] = [`${contentType}_search`, `${contentType}_words`]
    const column = isIndexed ? `${index}.rowid` : `${search}.position`
    const joined = `${index} cross join ${search} on ${search}.position = ${index}.rowid`
    return {
      from: itemsBehind(contentType, isIndexed ? joined : search),
      conditions: [
        ...(isIndexed ? [condition(`${index} match ?`, expression)] : []),
        ...others.map((word) => condition(`instr(${search}.words, ?) > 0`, ` ${word}`)),
      ],
      position: { column, bits: BLOCK_BITS, bounds: boundsOf(column, dates) },
    }
  },
}
