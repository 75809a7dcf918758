import type { StoredResponse } from '@almoner/domain'

/** One page of a collection on its way out. */
export interface Collection {
  /** The text around the items, as `{"items":[` and `]}`. */
  readonly open: string
  readonly close: string
  /** Batches of items, each already JSON. */
  readonly batches: () => AsyncIterable<ReadonlyArray<string>>
  /** Returns all of it, if all items are loaded. */
  readonly whole: (() => Buffer) | undefined
  /** The cursor of the next page, as the value of `after` (C11). */
  readonly next: string | undefined
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
