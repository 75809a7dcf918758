import { type Db, queryCache } from '@almoner/adapters-kysely'
import type { ContentType } from '@almoner/domain/history'
import type { LabelId } from '@almoner/domain/values'

/** A word with fewer occurrences is searched alone: reading the text of these items is quicker than a second search. */
const FEW = 1000

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
export interface Search {
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
export const searchFor = async (
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
