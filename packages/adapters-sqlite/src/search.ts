import {
  type Condition,
  condition,
  type Db,
  type ItemDate,
  queryCache,
  type SearchableItem,
  type SearchIndex,
  type SearchSource,
  type SqlDialect,
} from '@almoner/adapters-kysely'
import type { ContentType } from '@almoner/domain/history'
import type { LabelId } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'

/** Items that a block of positions holds: two to the power of this. */
const BLOCK_BITS = 24

/** Days from the first day of year 0 to that of 1970. */
const YEAR_0 = 719_528
const DAY = 86_400_000

/** The last block: with its bits, a position stays below 2^63. */
const LAST = 2 ** 38 - 1

/**
 * Returns the number of the block of positions for items of a date: a day of the library, a second of the feed. It never falls when the date
 * rises. Dates beyond the range share the first or the last block, inside of which items are sorted anyway.
 */
const blockOf = (date: ItemDate): number => {
  const block = typeof date === 'string' ? Date.parse(date) / DAY + YEAR_0 : Math.floor(date / 1000)
  return Math.min(Math.max(block, 0), LAST)
}

/** A word with fewer occurrences is searched alone: reading the text of these items is quicker than a second search. */
const FEW = 300

/** A word that begins more terms is not expanded: SQLite advances in all terms of an expression at each step. */
const MOST_TERMS = 24

/** Greater than any character of a term. */
const END = '\u{10ffff}'

const run = queryCache()

/** Counts the occurrences of terms that begin with a word, up to {@link FEW}. */
const occurrencesOf = async (db: Db, contentType: ContentType, word: string): Promise<number> => {
  const some = `select 1 from ${contentType}_terms where term >= ? and term < ? limit ?`
  const values = [word, word + END, FEW]
  const [found] = await run<{ readonly n: number }>(db, `select count(*) as n from (${some})`, values)
  return found?.n ?? 0
}

/** Seeks from term to term: a plain list of terms would read all occurrences of each. */
const termsOf = async (db: Db, contentType: ContentType, word: string): Promise<ReadonlyArray<string>> => {
  const first = `select term from ${contentType}_terms where term >= ? and term < ? limit 1`
  const next = `select term from ${contentType}_terms where term >= terms.term || char(1) and term < ? limit 1`
  const text = `with recursive terms (term) as (
      select (${first}) union all select (${next}) from terms where term is not null limit ?
    ) select term from terms where term is not null`
  const values = [word, word + END, word + END, MOST_TERMS + 1]
  return (await run<{ readonly term: string }>(db, text, values)).map(({ term }) => term)
}

/** The term of a label: the bytes of its identifier in hexadecimal digits, behind a sign that no word has. */
const labelTerm = (labelId: LabelId): string => `"_${Buffer.from(labelId).toString('hex')}"`

/** A search in two parts: an expression for the index, and words to be found in the text of each item. */
interface Search {
  readonly expression: string
  readonly others: ReadonlyArray<string>
}

/** Searches for the rarest word alone; undefined if no word is rare. */
const searchRarest = async (
  db: Db,
  contentType: ContentType,
  words: ReadonlyArray<string>,
): Promise<Search | undefined> => {
  let [rarest, fewest] = ['', FEW]
  for (const word of words) {
    const occurrences = await occurrencesOf(db, contentType, word)
    if (occurrences < fewest) [rarest, fewest] = [word, occurrences]
  }
  return rarest === ''
    ? undefined
    : { expression: `"${rarest}" *`, others: words.filter((word) => word !== rarest) }
}

/** Searches for the terms of frequent words. A word with very many terms is left to the text of the items: most have one of them. */
const searchTerms = async (
  db: Db,
  contentType: ContentType,
  words: ReadonlyArray<string>,
): Promise<Search> => {
  const [parts, others]: [Array<string>, Array<string>] = [[], []]
  for (const word of words) {
    const terms = await termsOf(db, contentType, word)
    if (terms.length > MOST_TERMS) others.push(word)
    else parts.push(`(${terms.map((term) => `"${term}"`).join(' OR ')})`)
  }
  return { expression: parts.join(' AND '), others }
}

/**
 * Returns how to search for words and a label. The index yields the items of an expression of whole terms one by one, newest first, so a page
 * of frequent words takes about as long as one of rare words. For a prefix it would first merge the rows of all terms.
 */
const searchFor = async (
  db: Db,
  contentType: ContentType,
  words: ReadonlyArray<string>,
  labels: ReadonlyArray<LabelId>,
): Promise<Search> => {
  const { expression, others } =
    (await searchRarest(db, contentType, words)) ?? (await searchTerms(db, contentType, words))
  const parts = [...labels.map(labelTerm), ...(expression === '' ? [] : [expression])]
  return { expression: parts.join(' AND '), others }
}

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

/** Composes a statement once for each content type. */
const ofEach = (statement: (contentType: ContentType) => string): Readonly<Record<ContentType, string>> => ({
  library: statement('library'),
  feed: statement('feed'),
})

/** Gives an item the next position in the block of its date. */
const INSERT_TEXT = ofEach(
  (contentType) => `
  insert into ${contentType}_search (position, item_id, words)
  values (
    coalesce((
      select position + 1 from ${contentType}_search where position >= ${START} and position < ${START}
      order by position desc limit 1
    ), ${START}), ?, ?
  )`,
)

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
  return run(db, INSERT_TEXT[contentType], [block, block + 1, block, id, text])
}

/** A new item has no labels, and its position is the last one that was inserted. */
const INSERT_NEW_TERMS = ofEach(
  (contentType) => `insert into ${contentType}_words (rowid, words) values (last_insert_rowid(), ?)`,
)

const itemsBehind = (contentType: ContentType, tables: string): string =>
  `${tables} cross join ${contentType}_item on ${contentType}_item.id = ${contentType}_search.item_id`

const remove: SearchIndex['remove'] = async (db, contentType, id) => {
  await run(db, deleteTerms(contentType), [id])
  await run(db, deleteText(contentType), [id])
}

/**
 * The words of items in an FTS5 index without content. Its row numbers are positions in the order of the items, so that it yields the newest
 * first. `…_search` holds the position and the words of each item.
 */
const FTS5_INDEX: SearchIndex = {
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
    await run(db, INSERT_NEW_TERMS[contentType], [item.text])
  },
  remove,
  replace: async (db, contentType, item) => {
    await remove(db, contentType, item.id)
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

/** The table that each set of tables has (ADR 53). */
const RECORD = 'schema_migrations'

/**
 * Selects the names of the tables with a prefix, without it. Left out are the virtual tables of the search index, the tables that store them, and
 * the sets of other services whose longer prefix begins alike.
 */
const tableNamesBehind = (prefix: string): string => `select substr(name, ${prefix.length + 1}) as name
  from pragma_table_list as found
  where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\'
    and substr(name, 1, ${prefix.length}) = '${prefix}' and not exists (
      select 1 from pragma_table_list as other
      where other.schema = 'main' and length(other.name) > ${prefix.length + RECORD.length}
        and substr(other.name, -${RECORD.length}) = '${RECORD}'
        and substr(other.name, 1, ${prefix.length}) = '${prefix}'
        and substr(found.name, 1, length(other.name) - ${RECORD.length})
          = substr(other.name, 1, length(other.name) - ${RECORD.length}))`

/**
 * SQLite's own words. Text is compared by its bytes, in UTF-8, as it is; writers exclude each other.
 * @param prefix of the names of tables, for the texts that have a name as a value
 */
export const sqliteDialect = (prefix: string): SqlDialect => ({
  text: 'text',
  integer: 'integer',
  tableOptions: 'strict',
  keyedOptions: 'strict, without rowid',
  identity: 'integer primary key autoincrement',
  rowNumber: 'integer primary key',
  tableNames: tableNamesBehind(prefix),
  locksRows: false,
  otherTableSets: undefined,
  tableSetMark: [],
  migrationLock: undefined,
  queueingLock: () => undefined,
  countBehind: (table, number) => [
    `delete from sqlite_sequence where name = '${prefix}${table}'`,
    `insert into sqlite_sequence (name, seq) values ('${prefix}${table}', ${number})`,
  ],
  primaryKey: () => [],
  listHolds: (list, text) => `exists (select 1 from json_each(${list}) as held where held.value = ${text})`,
  constraintNames: [],
  signalTable: [],
  search: FTS5_INDEX,
  positions: {
    next: '(select coalesce(max(position), 0) + 1 from content_change)',
    settled: undefined,
    server: 'null',
    newEpoch: 'lower(hex(randomblob(6)))',
  },
})

/** The dialect of a file that has no other tables. */
export const SQLITE: SqlDialect = sqliteDialect('')
