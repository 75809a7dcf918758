import * as E from 'fp-ts/lib/Either.js'
import { folded } from './folding.ts'
import { isStorable, NOT_STORABLE, nfcOf, refined } from './refined.ts'

/** The limits of `q`: code points of its text, and words with repeats (J2). */
const [MOST_CHARACTERS, MOST_WORDS] = [200, 10]

/** Separates words: neither a letter nor a decimal digit. An apostrophe separates, as white space does. */
const SEPARATOR = /[^\p{L}\p{M}\p{Nd}]+/u

const ASCII = /^[\0-\x7f]*$/
const ASCII_WORD = /[a-z0-9]+/g

/** Text in ASCII, as most folded text is, is split in half the time. */
const wordsOf = (text: string): ReadonlyArray<string> => {
  const plain = folded(text)
  return ASCII.test(plain)
    ? (plain.match(ASCII_WORD) ?? [])
    : plain.split(SEPARATOR).filter((word) => word !== '')
}

/** Returns the folded words of a text, each once. They are made of letters and digits only (J2). */
export const searchWords = (text: string): ReadonlyArray<string> => [...new Set(wordsOf(text))]

/**
 * `q`: words, each of which must begin a word of the text that is searched (J2). Decodes to the folded words, each once; to none where the
 * text has no letter and no digit.
 */
export const SearchWords = refined<ReadonlyArray<string>>(
  'SearchWords',
  (sent) => {
    if (!isStorable(sent)) return E.left(NOT_STORABLE)
    if ([...nfcOf(sent)].length > MOST_CHARACTERS)
      return E.left(`must have at most ${MOST_CHARACTERS} characters`)
    const words = wordsOf(sent)
    return words.length > MOST_WORDS
      ? E.left(`must have at most ${MOST_WORDS} words`)
      : E.right([...new Set(words)])
  },
  {
    type: 'string',
    description:
      'Words that must all begin a word of the title or description, ignoring case and accents. At most 10.',
    maxLength: MOST_CHARACTERS,
    example: 'ecole eau',
  },
)
