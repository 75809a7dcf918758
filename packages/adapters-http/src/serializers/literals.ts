import { LANGUAGES } from '@almoner/domain'
import * as t from 'io-ts'

/** One of some words, as the domain lists them. */
export const oneOf = <A extends string>(words: ReadonlyArray<A>): t.KeyofC<Record<A, null>> =>
  t.keyof(Object.fromEntries(words.map((word) => [word, null])) as Record<A, null>)

/** The language of what is answered. */
export const LANG = oneOf(LANGUAGES)
