import type { ItemId, StoredResponse } from '@almoner/domain'

/** One page of a collection on its way out. */
export interface Collection {
  /** What the whole of the items stands in, as `{"items":[` and `]}`. */
  readonly open: string
  readonly close: string
  /** Batches of items, each already JSON. */
  readonly batches: () => AsyncIterable<ReadonlyArray<string>>
  /** All of it, where it is there without waiting. */
  readonly whole: (() => Buffer) | undefined
  /** Where the next page begins, as the value of `after` (C11). */
  readonly next: string | undefined
}

/** What an answer shows, for its ETag (C10). */
export interface Tagged {
  readonly id: ItemId
  readonly revision: number
  /** A digest of the item as it is written: its images' addresses may change while its revision does not (D3). */
  readonly digest: string
}

/** What a route gives back; how it is written is the mounting function's affair. */
export type Answer =
  /** `text` is JSON already. */
  | { readonly kind: 'json'; readonly text: string; readonly tag?: Tagged | undefined }
  | { readonly kind: 'collection'; readonly collection: Collection }
  | { readonly kind: 'empty' }
  /** What was answered to the first request with the same key (I4). */
  | { readonly kind: 'stored'; readonly response: StoredResponse }

export const EMPTY: Answer = { kind: 'empty' }

export const json = (body: unknown): Answer => ({ kind: 'json', text: JSON.stringify(body) })
