import * as O from 'fp-ts/lib/Option.js'
import type { PageRequest } from '../values/page.ts'

/** The window that `lim`, `offset` and `after` describe; without `lim` it is everything after that place (B4). */
export const pageRequest = <P>(asked: {
  readonly lim?: number | undefined
  readonly offset?: number | undefined
  readonly after?: P | undefined
}): PageRequest<P> => ({
  lim: O.fromNullable(asked.lim),
  offset: asked.lim === undefined ? 0 : (asked.offset ?? 0),
  after: O.fromNullable(asked.after),
})
