import { type Condition, condition, queryCache, type SearchIndex } from '@almoner/adapters-kysely'
import * as O from 'fp-ts/lib/Option.js'

const run = queryCache()

/** Code points of a lexeme, of which PostgreSQL takes 2,046 bytes. Longer words are compared by their text as well. */
const LONGEST = 500

const cut = (word: string): string => (word.length > LONGEST ? [...word].slice(0, LONGEST).join('') : word)

const lexemesOf = (text: string): string => text.split(' ').map(cut).join(' ').trim()

const store: SearchIndex['add'] = async (db, contentType, { id, text }) => {
  await run(
    db,
    `insert into ${contentType}_search (item_id, words, lexemes)
      values (?, ?, array_to_tsvector(string_to_array(?, ' ')))
      on conflict (item_id) do update set (words, lexemes) = (excluded.words, excluded.lexemes)`,
    [id, text, lexemesOf(text)],
  )
}

const wordConditions = (words: ReadonlyArray<string>): ReadonlyArray<Condition> => {
  if (words.length === 0) return []
  // Words consist of letters and digits, so that no quote has to be escaped.
  const query = words.map((word) => `'${cut(word)}':*`).join(' & ')
  const long = words.filter((word) => word.length > LONGEST)
  return [
    condition('lexemes @@ cast(? as tsquery)', query),
    ...long.map((word) => condition('position(? in words) > 0', ` ${word}`)),
  ]
}

/**
 * The words of items as vectors of lexemes under a GIN index. The vectors are built of words that are split already: PostgreSQL's parser would
 * split them by the rules of the database's locale.
 */
export const TSVECTOR_INDEX: SearchIndex = {
  tables: (contentType) => [
    `create table ${contentType}_search (
      item_id text collate "C" not null primary key references ${contentType}_item (id),
      words text collate "C" not null,
      lexemes tsvector not null
    )`,
    `create index ${contentType}_search_lexemes on ${contentType}_search using gin (lexemes)`,
  ],
  add: store,
  replace: store,
  relabel: async () => {},
  find: async (_db, { contentType, words, labelId }) => {
    const item = `${contentType}_item`
    const search = wordConditions(words)
    const wanted = search.map(({ text }) => text).join(' and ')
    const found = `${item}.id in (select item_id from ${contentType}_search where ${wanted})`
    const carrying = `${item}.id in (select item_id from ${contentType}_label where label_id = ?)`
    return {
      from: item,
      conditions: [
        ...(search.length > 0 ? [condition(found, ...search.flatMap(({ values }) => values))] : []),
        ...(O.isSome(labelId) ? [condition(carrying, labelId.value)] : []),
      ],
    }
  },
}
