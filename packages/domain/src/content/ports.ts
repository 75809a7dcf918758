import type { Either } from 'fp-ts/lib/Either.js'
import type { Option } from 'fp-ts/lib/Option.js'
import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Act, Receipt, TimedAct } from '../access/acts.ts'
import type { ContentType } from '../history/model.ts'
import type { HistoryPolicy, HistoryPorts } from '../history/ports.ts'
import type { MediaName, StoredImage } from '../media/model.ts'
import type { Email, WebUrl } from '../values/addresses.ts'
import type { ItemId, LabelId } from '../values/ids.ts'
import type { PageRequest, ResultSet } from '../values/page.ts'
import type { ValidationFailed } from '../values/parameters.ts'
import type { StopSignal, Unavailable } from '../values/ports.ts'
import type { Language } from '../values/text.ts'
import type { Instant } from '../values/time.ts'
import type { FeedCursor, FeedQuery, LibraryCursor, LibraryQuery } from './finding.ts'
import type {
  Contact,
  LinkCounts,
  LinkFinding,
  LinkMethod,
  LinkPlace,
  LinkRounds,
  LinkVerdict,
  RoundHosts,
} from './links.ts'
import type {
  Author,
  DraftRemoval,
  FeedItem,
  ItemNotFound,
  Label,
  LabelNotFound,
  LabelsInUse,
  LeftTopics,
  LibraryItem,
  UnpublishedFeedItem,
  UnpublishedLibraryItem,
} from './model.ts'
import type { LinkedCounterpart } from './older.ts'
import type { PublicationPage, PublicationQuery, PublicationWindow } from './publications.ts'
import type { Counterpart, CounterpartNotFound, HasCounterpart, VisibilityPolicy } from './rules.ts'
import type { ScheduledChange, ScheduledMoment } from './schedules.ts'

/** What content and the areas before it ask of the world. */
export interface ContentPorts extends HistoryPorts {
  readonly libraryItems: LibraryItems
  readonly feedItems: FeedItems
  readonly feedAuthors: FeedAuthors
  readonly labels: Labels
  readonly translations: Translations
  readonly linkChecker: LinkChecker
  readonly linkFindings: LinkFindings
}

/** What a deployment decides for content and the areas before it. */
export interface ContentPolicy extends HistoryPolicy, VisibilityPolicy {}

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
  /**
   * Images that no item holds any more: forgotten by the store, their bytes may now be deleted (D5). After an act that can be undone they stay known,
   * and are none of these.
   */
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
  /**
   * Deletes an item atomically, with its labels, its link and its author (C18). A Left changes nothing. Its parts stay stored,
   * and its images known, until they are purged. The record of the act has all fields, and copies learn of it (N2). Durable when it succeeds.
   * @param decide pure; `wasLive` says whether the item was Live before
   */
  remove<E>(
    id: ItemId,
    decide: (current: Item, wasLive: boolean) => Either<E, DraftRemoval>,
  ): TaskEither<E | ItemNotFound | Unavailable, Item>
  /**
   * Takes back a deletion that was made at this moment or later: the item, its labels, link, author and images are as before (C18). Labels that a load removed
   * meanwhile stay away, as does a counterpart that was linked, changed its language or was deleted. The receipt is stored in the same transaction.
   */
  putBack(
    id: ItemId,
    removal: DraftRemoval,
    madeSince: Instant,
    receipt?: Receipt<Item>,
  ): TaskEither<ItemNotFound | Unavailable, Item>
  /** Forgets some items that were deleted at this moment or before. Returns how many, and the images that lost their last holder (D5). */
  purgeRemoved(
    removedBy: Instant,
  ): TaskEither<Unavailable, { readonly items: number; readonly orphans: ReadonlyArray<MediaName> }>
  /** Returns the earliest moments of the schedules of all items, past ones too, in the order of time (C15). At most a few hundred. */
  upcoming(most: number): TaskEither<Unavailable, ReadonlyArray<ScheduledMoment>>
  /**
   * Carries out what `decide` returns for each of these items, in one transaction: each change leaves a record with its `missing` conditions, in
   * the order of the moments (C15, K1). Images and words stay. Items that are unknown, or that another transaction is changing, are left out.
   * `decide` is pure and may be called more than once. Durable when it succeeds.
   * @param ids at most a few hundred
   * @returns the changes that were written, in the same order
   */
  carryOut(
    ids: ReadonlyArray<ItemId>,
    decide: (current: Item) => ReadonlyArray<ScheduledChange<Item>>,
  ): TaskEither<Unavailable, ReadonlyArray<ScheduledChange<Item>>>
}

/** The publications of the library. */
export type LibraryItems = ItemStore<LibraryItem, UnpublishedLibraryItem, LibraryQuery, LibraryCursor>

/** The posts of the feed. */
export type FeedItems = ItemStore<FeedItem, UnpublishedFeedItem, FeedQuery, FeedCursor>

/** Selects the posts of one author, in one language or in any. */
export interface OwnPostsQuery {
  readonly email: Email
  readonly lang: Option<Language>
}

/** The authors of posts (L3). `FeedItems.add` records them; posts from before have none. */
export interface FeedAuthors {
  /** Lists the posts whose author has this email, in every state and in the order of the feed (C3). Reads as lists of items do. */
  list(
    query: OwnPostsQuery,
    page: PageRequest<FeedCursor>,
  ): TaskEither<Unavailable, ResultSet<FeedItem, FeedCursor>>
  /** Returns the authors of these posts; posts without an author are left out. At most a few hundred ids. */
  ofPosts(ids: ReadonlyArray<ItemId>): TaskEither<Unavailable, ReadonlyMap<ItemId, Author>>
}

/** The labels, and which items carry them. A write with an act leaves a record, unless it changes nothing (K1). */
export interface Labels {
  /** Every label, in the order of the file they were loaded from (E1). */
  all(): TaskEither<Unavailable, ReadonlyArray<Label>>
  /** The labels of an item, in that same order; none for an unknown item. */
  ofItem(contentType: ContentType, itemId: ItemId): TaskEither<Unavailable, ReadonlyArray<Label>>
  /** Returns the labels of each of these items that has any, in that same order. At most a few hundred ids. */
  ofItems(
    contentType: ContentType,
    itemIds: ReadonlyArray<ItemId>,
  ): TaskEither<Unavailable, ReadonlyMap<ItemId, ReadonlyArray<Label>>>
  /**
   * Attaches; doing it twice is the same as once (E2). An unknown item comes before an unknown label. The receipt is kept in the same
   * transaction.
   */
  attach(
    contentType: ContentType,
    itemId: ItemId,
    labelId: LabelId,
    receipt?: Receipt<Label>,
    act?: TimedAct,
  ): TaskEither<ItemNotFound | LabelNotFound | Unavailable, Label>
  /** Detaches. LabelNotFound when the item does not carry it (E2). */
  detach(
    contentType: ContentType,
    itemId: ItemId,
    labelId: LabelId,
    act?: TimedAct,
  ): TaskEither<ItemNotFound | LabelNotFound | Unavailable, void>
  /**
   * Makes the set exactly this one, in this order. A missing label that is still attached, or that a notification has
   * which no review has started (G12), stops it, and nothing changes. Any other missing label leaves the preferences of people, within the epoch of the change (F6, G4).
   */
  replaceAll(labels: ReadonlyArray<Label>, act?: TimedAct): TaskEither<LabelsInUse | Unavailable, LeftTopics>
}

/**
 * Links between publications that are translations of each other (J7), and the base of each pair (J8), which `LibraryItems.change` keeps too:
 * the revision before a change of words, as `baseAfter` decides. A publication without a record of its present state has none. Links change no
 * item. A change with an act leaves a record (K1).
 */
export interface Translations {
  /**
   * Returns the counterparts of these items, regardless of visibility, with the words that changed since the base; items without one are left
   * out. At most a few hundred ids.
   */
  ofItems(ids: ReadonlyArray<ItemId>): TaskEither<Unavailable, ReadonlyMap<ItemId, LinkedCounterpart>>
  /** Returns Live publications that are older than their Live counterparts, by id: at most this many (J8). */
  older(most: number): TaskEither<Unavailable, ReadonlyArray<ItemId>>
  /** Returns the publications of a query that lie in the window, in order, from one state (J7). */
  publications(query: PublicationQuery, window: PublicationWindow): TaskEither<Unavailable, PublicationPage>
  /**
   * Links two items and returns the counterpart. Earlier links of both are replaced. An unknown item comes before an unknown counterpart, and
   * ValidationFailed means that both have the same language. Linking a pair again changes nothing, unless `confirming` is given.
   */
  link(
    id: ItemId,
    counterpartId: ItemId,
    act?: TimedAct,
    confirming?: TimedAct,
  ): TaskEither<ItemNotFound | CounterpartNotFound | ValidationFailed | Unavailable, Counterpart>
  /** Makes the present texts of a pair its base, from either side, and returns the counterpart (J8). CounterpartNotFound without a link. */
  confirm(
    id: ItemId,
    act?: TimedAct,
  ): TaskEither<ItemNotFound | CounterpartNotFound | Unavailable, Counterpart>
  /** Removes the link of an item, from either side. CounterpartNotFound if it has none. */
  unlink(id: ItemId, act?: TimedAct): TaskEither<ItemNotFound | CounterpartNotFound | Unavailable, void>
}

/** One request to the address of a link. */
export interface LinkRequest {
  readonly url: WebUrl
  readonly method: LinkMethod
  /** Milliseconds in which the answer must have come. */
  readonly within: number
  /** Ends the request early; its contact is not used then. */
  readonly signal: StopSignal
}

/** Asks addresses that people have written into items, and no other ones than public ones (C17). */
export interface LinkChecker {
  /** Sends one request and follows no redirect. Never rejects: what fails is a contact, too. */
  contact(request: LinkRequest): Task<Contact>
}

/** Selects findings of the round that is shown, of one verdict or of any, after a place in their order. */
export interface LinkQuery {
  readonly verdict: Option<LinkVerdict>
  readonly after: Option<LinkPlace>
  /** How many to return at most; a few hundred. */
  readonly most: number
}

/** What the checks of links found, round by round (C17). No write changes an item, or what a cache holds. */
export interface LinkFindings {
  /** Returns the state of the rounds, `NO_ROUNDS` before the first. */
  rounds(): TaskEither<Unavailable, LinkRounds>
  /**
   * Replaces the state of the rounds and stores findings of the running one, in one transaction, if the stored state is the one before: its step is
   * one less. Otherwise it changes nothing and returns false. A finding of the same field replaces an earlier one of that round.
   */
  advance(next: LinkRounds, found: ReadonlyArray<LinkFinding>): TaskEither<Unavailable, boolean>
  /** Returns the findings of these items in the round that is shown, in no order. At most a few hundred ids. */
  ofItems(ids: ReadonlyArray<ItemId>): TaskEither<Unavailable, ReadonlyArray<LinkFinding>>
  /** Returns findings of the round that is shown, by item and field. Some may be of links that items no longer have. */
  page(query: LinkQuery): TaskEither<Unavailable, ReadonlyArray<LinkFinding>>
  /** Counts the hosts of a round, and the ones of which no link was reached (`hostOf`, `isReached`). */
  hosts(round: number): TaskEither<Unavailable, RoundHosts>
  /** Counts the findings of the round that is shown by their verdicts, but only those made at this moment or later. */
  counts(since: Instant): TaskEither<Unavailable, LinkCounts>
  /** Deletes some findings of rounds that neither run nor are shown. Returns how many; 0 when none is left. */
  purge(): TaskEither<Unavailable, number>
}
