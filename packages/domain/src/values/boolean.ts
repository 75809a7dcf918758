import * as E from 'fp-ts/lib/Either.js'
import { refined } from './refined.ts'

const MEANING: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false }

/** `subscribed`: `true`, `false`, `1` or `0`, in any case; JSON booleans too (F2). */
export const BooleanParameter = refined<boolean>(
  'BooleanParameter',
  (text) => {
    const word = text.toLowerCase()
    const meaning = Object.hasOwn(MEANING, word) ? MEANING[word] : undefined
    return meaning === undefined ? E.left('must be true or false') : E.right(meaning)
  },
  {
    type: 'string',
    description: '`true`, `false`, `1` or `0`, in any case.',
    pattern: '^([tT][rR][uU][eE]|[fF][aA][lL][sS][eE]|0|1)$',
    example: 'true',
  },
)
