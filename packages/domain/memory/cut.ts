import * as O from 'fp-ts/lib/Option.js'
import { type Listing, listingOf, type Window } from '../src/index.ts'

/** The part of an ordered collection that lies in the window, and where the next begins (C11). */
export const cut = <Item, P>(
  ordered: ReadonlyArray<Item>,
  { lim, offset, after }: Window<P>,
  place: (item: Item) => P,
  compare: (a: P, b: P) => number,
): Listing<Item, P> => {
  const rest = O.isSome(after) ? ordered.filter((item) => compare(place(item), after.value) > 0) : ordered
  if (O.isNone(lim)) return listingOf(rest, O.none)
  const page = rest.slice(offset, offset + lim.value)
  const last = page.at(-1)
  const isLast = last === undefined || offset + lim.value >= rest.length
  return listingOf(page, isLast ? O.none : O.some(place(last)))
}
