import * as O from 'fp-ts/lib/Option.js'
import type { Window } from '../values/page.ts'

/** The window that `lim`, `offset` and `after` describe; without `lim` it is everything after that place (B4). */
export const windowOf = <P>(asked: {
  readonly lim?: number | undefined
  readonly offset?: number | undefined
  readonly after?: P | undefined
}): Window<P> => ({
  lim: O.fromNullable(asked.lim),
  offset: asked.lim === undefined ? 0 : (asked.offset ?? 0),
  after: O.fromNullable(asked.after),
})
