import { type ItemCore, type Listing, type Place, placeText } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import type { Collection, Tagged } from './answer.ts'

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

/** The first item of a listing of at most one, and that listing to be read anew. */
export const peekOne = async <A extends ItemCore, P>(
  listing: Listing<A, P>,
): Promise<{ readonly listing: Listing<A, P>; readonly tag: Tagged | undefined }> => {
  const batches: Array<ReadonlyArray<A>> = []
  for await (const batch of listing.batches) batches.push(batch)
  const first = batches[0]?.[0]
  return {
    listing: {
      next: listing.next,
      batches: (async function* () {
        yield* batches
      })(),
    },
    tag: first === undefined ? undefined : { id: first.id, revision: first.revision },
  }
}
