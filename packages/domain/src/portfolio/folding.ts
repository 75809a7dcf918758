import * as E from 'fp-ts/lib/Either.js'
import { isStorable, NOT_STORABLE, refined } from '../values/refined.ts'
import { folded } from '../values/text.ts'

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
