import { listingOf, type PageRequest, type ResultSet } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'

/** Returns the requested page of an ordered collection, and the cursor of the next page (C11). */
export const paginate = <Item, P>(
  ordered: ReadonlyArray<Item>,
  { lim, offset, after }: PageRequest<P>,
  cursor: (item: Item) => P,
  compare: (a: P, b: P) => number,
): ResultSet<Item, P> => {
  const rest = O.isSome(after) ? ordered.filter((item) => compare(cursor(item), after.value) > 0) : ordered
  if (O.isNone(lim)) return listingOf(rest, O.none)
  const page = rest.slice(offset, offset + lim.value)
  const last = page.at(-1)
  const isLast = last === undefined || offset + lim.value >= rest.length
  return listingOf(page, isLast ? O.none : O.some(cursor(last)))
}
