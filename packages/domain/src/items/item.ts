import type { ItemId } from '../values/ids.ts'
import type { Instant } from '../values/instant.ts'
import type { Language } from '../values/language.ts'
import type { ItemDescription, ItemTitle } from '../values/text.ts'

/** The common fields of all items. */
export interface ItemCore {
  readonly id: ItemId
  readonly isDonorRestricted: boolean
  readonly lang: Language
  readonly title: ItemTitle
  readonly description: ItemDescription
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** Grows by one with each write, from 1: what an ETag stands for (C10). */
  readonly revision: number
}

/** The two collections of items. */
export const CONTENT_TYPES = ['library', 'feed'] as const
/** One of {@link CONTENT_TYPES}. */
export type ContentType = (typeof CONTENT_TYPES)[number]

/** There is no such item, or the caller may not know of it. */
export interface ItemNotFound {
  readonly _tag: 'ItemNotFound'
}

/** The one {@link ItemNotFound}. */
export const ITEM_NOT_FOUND: ItemNotFound = { _tag: 'ItemNotFound' }
