import { type Db, queryCache } from '@almoner/adapters-kysely'
import type { ContentType, LabelId } from '@almoner/domain'

/** A prefix with more terms than this is not expanded: SQLite advances in all terms of an expression at each step. */
const MOST_TERMS = 32

/** A prefix of fewer occurrences is searched as such: SQLite first merges the rows of its terms, some 0.25 µs each. */
const FEW = 2000

/** Greater than any character of a term. */
const END = '\u{10ffff}'

const run = queryCache()

/** Seeks from term to term: counting the rows of a term, as a plain list of terms does, takes as long as reading all of them. */
const termsOf = async (db: Db, contentType: ContentType, word: string): Promise<ReadonlyArray<string>> => {
  const first = `select term from ${contentType}_terms where term >= ? and term < ? limit 1`
  const next = `select term from ${contentType}_terms where term >= terms.term || char(1) and term < ? limit 1`
  const text = `with recursive terms (term) as (
      select (${first}) union all select (${next}) from terms where term is not null limit ?
    ) select term from terms where term is not null`
  const rows = await run<{ readonly term: string }>(db, text, [word, word + END, word + END, MOST_TERMS + 1])
  return rows.map(({ term }) => term)
}

const isRare = async (db: Db, contentType: ContentType, word: string): Promise<boolean> => {
  const some = `select 1 from ${contentType}_terms where term >= ? and term < ? limit ?`
  const [found] = await run<{ readonly n: number }>(db, `select count(*) as n from (${some})`, [
    word,
    word + END,
    FEW,
  ])
  return found !== undefined && found.n < FEW
}

/** The part of a search expression for one word; undefined if too much begins with it. Words have no quotes. */
const wordExpression = async (
  db: Db,
  contentType: ContentType,
  word: string,
): Promise<string | undefined> => {
  const terms = await termsOf(db, contentType, word)
  // No item has a term of this name, which is no word.
  if (terms.length === 0) return '"_"'
  if (terms.length <= MOST_TERMS) return `(${terms.map((term) => `"${term}"`).join(' OR ')})`
  return (await isRare(db, contentType, word)) ? `"${word}" *` : undefined
}

/** The term of a label: the bytes of its identifier in hexadecimal digits, behind a sign that no word has. */
const labelExpression = (labelId: LabelId): string => `"_${Buffer.from(labelId).toString('hex')}"`

/** A search in two parts: an expression for the index, and words that the text of each item is searched for. */
export interface Search {
  readonly expression: string
  readonly others: ReadonlyArray<string>
}

/**
 * Returns how to search for words and a label. The index gives the items of an expression of whole terms newest first, one by one, so a page
 * takes about as long for common words as for rare ones. A short prefix with many terms is found in the text of most items anyway.
 */
export const searchFor = async (
  db: Db,
  contentType: ContentType,
  words: ReadonlyArray<string>,
  labels: ReadonlyArray<LabelId>,
): Promise<Search> => {
  const parts: Array<string> = labels.map(labelExpression)
  const others: Array<string> = []
  for (const word of words) {
    const part = await wordExpression(db, contentType, word)
    if (part === undefined) others.push(word)
    else parts.push(part)
  }
  return { expression: parts.join(' AND '), others }
}
