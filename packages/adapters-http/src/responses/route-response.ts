import type { ResultSet } from '@almoner/domain'
import type { StoredResponse } from '@almoner/domain/access'
import * as O from 'fp-ts/lib/Option.js'

/** One page of a collection on its way out. */
export interface Collection {
  /** The text before the items, as `{"items":[`. */
  readonly open: string
  /** Batches of items, each already JSON. */
  readonly batches: () => AsyncIterable<ReadonlyArray<string>>
  /** Returns all of it, if all items are loaded. */
  readonly whole: (() => Buffer) | undefined
  /** The cursor of the next page, as the value of `after` (C11). */
  readonly next: string | undefined
  /** The number of items in the whole collection, if it was counted (J5). */
  readonly total: number | undefined
}

/** The response that a route returns. How it is sent does not depend on the route. */
export type RouteResponse =
  /** `text` is JSON already. */
  | { readonly kind: 'json'; readonly text: string; readonly etag?: string }
  | { readonly kind: 'collection'; readonly collection: Collection }
  | { readonly kind: 'empty' }
  /** The response to the first request with the same key (I4). */
  | { readonly kind: 'stored'; readonly response: StoredResponse }

export const EMPTY: RouteResponse = { kind: 'empty' }

export const json = (body: unknown): RouteResponse => ({ kind: 'json', text: JSON.stringify(body) })

/** The type of every response that has a body. */
export const JSON_CONTENT = 'application/json; charset=utf-8'

/** How a collection is written: the key that it is under, each element, and the cursor of its next page. */
export interface CollectionForm<A, P> {
  readonly key: string
  /** Returns an element as JSON. */
  readonly text: (element: A) => string
  /** Returns the same as bytes after a comma, where they are cached. */
  readonly bytes?: (element: A) => Buffer
  readonly encodeCursor: (cursor: P) => string
}

async function* texts<A>(batches: AsyncIterable<ReadonlyArray<A>>, text: (element: A) => string) {
  for await (const batch of batches) yield batch.map(text)
}

/** The text after the items of any collection. */
export const CLOSE = ']}'
const CLOSING = Buffer.from(CLOSE)

const together = (opening: string, elements: ReadonlyArray<Buffer>): Buffer => {
  const [first, ...others] = elements
  return first === undefined
    ? Buffer.from(`${opening}${CLOSE}`)
    : Buffer.concat([Buffer.from(opening), first.subarray(1), ...others, CLOSING])
}

/** Returns a collection as it is sent: `{"items":[{"item":…},…]}`, under its own key (C1). */
export const collectionOf = <A, P>(
  { batches, loaded, next, total }: ResultSet<A, P>,
  { key, text, bytes = (element) => Buffer.from(`,${text(element)}`), encodeCursor }: CollectionForm<A, P>,
): Collection => ({
  open: `{"${key}":[`,
  whole: loaded && (() => together(`{"${key}":[`, loaded.map(bytes))),
  batches: () => texts(batches, text),
  next: O.isSome(next) ? encodeCursor(next.value) : undefined,
  total,
})

/** Responds with a collection. */
export const many =
  <A, P>(form: CollectionForm<A, P>) =>
  (listing: ResultSet<A, P>): RouteResponse => ({
    kind: 'collection',
    collection: collectionOf(listing, form),
  })

/** Returns a function that writes elements as JSON. */
export const asJson =
  <A>(encode: (element: A) => unknown): ((element: A) => string) =>
  (element) =>
    JSON.stringify(encode(element))

/** Returns the item of a listing of at most one. */
export const firstOf = async <A, P>({ batches, loaded }: ResultSet<A, P>): Promise<A | undefined> => {
  if (loaded !== undefined) return loaded[0]
  for await (const [first] of batches) return first
  return undefined
}
