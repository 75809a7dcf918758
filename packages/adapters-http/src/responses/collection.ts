import type { Listing } from '@almoner/domain'
import * as O from 'fp-ts/lib/Option.js'
import type { Answer, Collection } from './route-response.ts'

/** How a collection is written: the key that it stands under, each element, and the place where its next page begins. */
export interface CollectionForm<A, P> {
  readonly key: string
  /** An element as JSON. */
  readonly text: (element: A) => string
  /** The same in bytes with a comma before it, where somebody remembers them. */
  readonly bytes?: (element: A) => Buffer
  readonly placeText: (place: P) => string
}

async function* texts<A>(batches: AsyncIterable<ReadonlyArray<A>>, text: (element: A) => string) {
  for await (const batch of batches) yield batch.map(text)
}

const CLOSE = ']}'
const CLOSING = Buffer.from(CLOSE)

/** The elements between what they stand in: copied together, each is written once. */
const together = (opening: string, elements: ReadonlyArray<Buffer>): Buffer => {
  const [first, ...others] = elements
  return first === undefined
    ? Buffer.from(`${opening}${CLOSE}`)
    : Buffer.concat([Buffer.from(opening), first.subarray(1), ...others, CLOSING])
}

/** A collection as it goes out: `{"items":[{"item":…},…]}`, under its own key (C1). */
export const collectionOf = <A, P>(
  { batches, atHand, next }: Listing<A, P>,
  { key, text, bytes = (element) => Buffer.from(`,${text(element)}`), placeText }: CollectionForm<A, P>,
): Collection => ({
  open: `{"${key}":[`,
  close: CLOSE,
  whole: atHand && (() => together(`{"${key}":[`, atHand.map(bytes))),
  batches: () => texts(batches, text),
  next: O.isSome(next) ? placeText(next.value) : undefined,
})

/** A collection as an answer. */
export const many =
  <A, P>(form: CollectionForm<A, P>) =>
  (listing: Listing<A, P>): Answer => ({ kind: 'collection', collection: collectionOf(listing, form) })

/** What is written by {@link JSON.stringify} once it is encoded. */
export const asJson =
  <A>(encode: (element: A) => unknown): ((element: A) => string) =>
  (element) =>
    JSON.stringify(encode(element))

/** The item of a listing of at most one. */
export const firstOf = async <A, P>({ batches, atHand }: Listing<A, P>): Promise<A | undefined> => {
  if (atHand !== undefined) return atHand[0]
  for await (const [first] of batches) return first
  return undefined
}
