import type { Either } from 'fp-ts/lib/Either.js'
import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Act, Receipt } from '../access/acts.ts'
import type { Author } from '../items/author.ts'
import type { HasCounterpart } from '../items/counterparts.ts'
import type { FeedItem, UnpublishedFeedItem } from '../items/feed-item.ts'
import type { ItemNotFound } from '../items/item.ts'
import type { LibraryItem, UnpublishedLibraryItem } from '../items/library-item.ts'
import type { FeedCursor, FeedQuery, LibraryCursor, LibraryQuery } from '../items/queries.ts'
import type { MediaName, StoredImage } from '../media/model.ts'
import type { ItemId } from '../values/ids.ts'
import type { PageRequest, ResultSet } from '../values/page.ts'
import type { Unavailable } from '../values/ports.ts'

/** The item is to show a stored image that is no longer, or never was, there. */
export interface ImageMissing {
  readonly _tag: 'ImageMissing'
  readonly name: MediaName
}

/** An item and its references to stored images, which are written together. */
export interface ItemWrite<Item> {
  readonly item: Item
  /** Images whose bytes have just been stored and become known with this write. */
  readonly storesImages: ReadonlyArray<StoredImage>
  /** Stored images that the item shows. Each must be known, or be in `storesImages`. */
  readonly displaysImages: ReadonlyArray<MediaName>
  /** Stored images that the item's links lead to; kept as long as it does, unknown ones are passed over. */
  readonly linksToImages: ReadonlyArray<MediaName>
  /** Under which the change is recorded in the same transaction, if it changes a field (K1); absent, it is not recorded. */
  readonly act?: Act
}

/** A new item as it is written: it shows no image yet. */
export interface NewItemWrite<Item> extends Pick<ItemWrite<Item>, 'item' | 'linksToImages' | 'act'> {
  /**
   * The author to record with a post (L3). The library records none. If the act depends on a binding that has ended, the author is recorded
   * without the user (L1).
   */
  readonly author?: Author
}

/** What a write has left behind. */
export interface ItemWritten<Item> {
  readonly item: Item
  /** Images that no item holds any more: forgotten by the store, their bytes may now be deleted (D5). */
  readonly orphans: ReadonlyArray<MediaName>
}

/** One content type of items. `Query` selects some of them, `Cursor` is a position in their order (C3). */
export interface ItemStore<Item, NewItem extends Item, Query, Cursor> {
  /** Returns an item, regardless of visibility. */
  find(id: ItemId): TaskEither<Unavailable, Option<Item>>
  /** Returns the existing items with these ids, regardless of visibility, in no order. At most a few hundred ids. */
  findAll(ids: ReadonlyArray<ItemId>): TaskEither<Unavailable, ReadonlyArray<Item>>
  /**
   * The items of a query that lie in the window, in order. Without `lim` they are one consistent snapshot, read in
   * bounded memory while writes go on (C12); the snapshot is taken when the first batch is asked for. A fault while reading
   * batches throws out of the iteration; an outage is an Error with the `_tag` of {@link Unavailable}.
   * @param isCounted whether the result has the `total` of the query, from the same snapshot, which is taken at once (J5): then the batches must
   * be iterated, or their iteration ended
   */
  list(
    query: Query,
    window: PageRequest<Cursor>,
    isCounted?: boolean,
  ): TaskEither<Unavailable, ResultSet<Item, Cursor>>
  /** Adds a new item and its author, and keeps the receipt in the same transaction. Durable when it succeeds. */
  add(write: NewItemWrite<NewItem>, receipt?: Receipt<NewItem>): TaskEither<Unavailable, void>
  /**
   * Replaces an item by the result of `decide`, atomically: no other write can happen between the read and the write. A Left changes nothing.
   * `decide` is pure and may be called more than once. Fails with HasCounterpart if it changes the language of an item with a counterpart (J7).
   * The receipt is stored in the same transaction. Durable when it succeeds.
   */
  change<E>(
    id: ItemId,
    decide: (current: Item) => Either<E, ItemWrite<Item>>,
    receipt?: Receipt<Item>,
  ): TaskEither<E | ItemNotFound | ImageMissing | HasCounterpart | Unavailable, ItemWritten<Item>>
}

/** The publications of the library. */
export type LibraryItems = ItemStore<LibraryItem, UnpublishedLibraryItem, LibraryQuery, LibraryCursor>

/** The posts of the feed. */
export type FeedItems = ItemStore<FeedItem, UnpublishedFeedItem, FeedQuery, FeedCursor>
