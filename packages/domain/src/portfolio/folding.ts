import * as E from 'fp-ts/lib/Either.js'
import { isStorable, NOT_STORABLE, refined } from '../values/refined.ts'

/** Letters, and signs within words, that do not come apart into a base and marks. All are lower case. */
const LETTERS: Readonly<Record<string, string>> = {
  œ: 'oe',
  æ: 'ae',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ĸ: 'k',
  ς: 'σ',
  '’': "'",
  '‘': "'",
  ʼ: "'",
}

const LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu')

/** Text without case and accents: two texts that a reader would call the same word fold to the same (H2). */
export const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(LETTER, (letter) => LETTERS[letter] ?? letter)

/** The folded words of a text, each once. */
export const foldedWords = (text: string): ReadonlyArray<string> => [
  ...new Set(
    folded(text)
      .split(/\s+/u)
      .filter((word) => word !== ''),
  ),
]

/** Whether a name contains all of these folded words (H2). */
export const containsAll = (words: ReadonlyArray<string>, name: string): boolean => {
  const text = folded(name)
  return words.every((word) => text.includes(word))
}

/** As long as a name may be, which bounds the number of words too. */
const MOST = 200

/** `name`: words that must all be contained, ignoring case and accents (H2). Gives them folded. */
export const NameWords = refined<ReadonlyArray<string>>(
  'NameWords',
  (text) => {
    if (!isStorable(text)) return E.left(NOT_STORABLE)
    return [...text].length > MOST
      ? E.left(`must have at most ${MOST} characters`)
      : E.right(foldedWords(text))
  },
  {
    type: 'string',
    description: 'Words that the name must contain, ignoring case and accents.',
    maxLength: MOST,
    example: 'ecole nord',
  },
)
