import { type Listing, type Place, placeText } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import type { Collection } from './answer.ts'

/** A collection of items as it goes out: `{"items":[{"item":…},…]}` (C1). */
export const itemCollection = <A, K extends string | number>(
  { batches, next }: Listing<A, Place<K>>,
  encode: (item: A) => unknown,
): Collection => ({
  open: '{"items":[',
  close: ']}',
  batches: (async function* () {
    for await (const batch of batches) yield batch.map((item) => JSON.stringify(encode(item)))
  })(),
  next: O.isSome(next) ? placeText(next.value) : undefined,
})

/** The item of a listing of at most one. */
export const firstOf = async <A, P>({ batches }: Listing<A, P>): Promise<A | undefined> => {
  for await (const [first] of batches) return first
  return undefined
}
