import type { ItemId } from '@almoner/domain'
import type { ContentType } from '@almoner/domain/history'
import type { LabelId } from '@almoner/domain/values'
import type * as O from 'fp-ts/lib/Option.js'
import type { Db } from './db.ts'
import type { Condition } from './query.ts'

/** The date that orders the items of a content type (C3). */
export type ItemDate = string | number

/** An item as the search index stores it. */
export interface SearchableItem {
  readonly id: ItemId
  readonly date: ItemDate
  /** The item's folded words, each after a space. */
  readonly text: string
}

/** Selects items by the search index. */
export interface SearchRequest {
  readonly contentType: ContentType
  /** Folded words, each of which begins a word of an item. */
  readonly words: ReadonlyArray<string>
  readonly labelId: O.Option<LabelId>
  /** The first and the last date of the items, both included. */
  readonly from: O.Option<ItemDate>
  readonly until: O.Option<ItemDate>
}

/** The items that a search finds, as parts of a statement. */
export interface SearchSource {
  /** What follows `from`: tables whose rows are those of the item table. */
  readonly from: string
  readonly conditions: ReadonlyArray<Condition>
  /** An integer that grows with the date of the item, in blocks of one date each, if the engine reads rows in its order. */
  readonly position?: {
    readonly column: string
    /** The size of a block is two to the power of this. */
    readonly bits: number
    /** Limits of the column that hold all items of the dates asked for, at the edges of blocks. */
    readonly bounds: ReadonlyArray<Condition>
  }
}

/** The index of the words of items in one engine (J2). It is derived: an export does not contain it. */
export interface SearchIndex {
  /** Returns statements that create the tables of a content type. */
  tables(contentType: ContentType): ReadonlyArray<string>
  /** Adds an item that is stored, has no labels and is not indexed yet. Runs in the transaction of the write. */
  add(db: Db, contentType: ContentType, item: SearchableItem): Promise<void>
  /** Replaces the words and the date of an item. */
  replace(db: Db, contentType: ContentType, item: SearchableItem): Promise<void>
  /** Takes in the labels of an item after one was attached or detached. */
  relabel(db: Db, contentType: ContentType, id: ItemId): Promise<void>
  /** Returns where to read the items that match. */
  find(db: Db, request: SearchRequest): Promise<SearchSource>
}
