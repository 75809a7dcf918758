import type { Either } from 'fp-ts/lib/Either.js'
import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Act, Receipt, TimedAct } from '../access/acts.ts'
import type { ContentType, FieldChange } from '../history/model.ts'
import type { HistoryPolicy, HistoryPorts } from '../history/ports.ts'
import type { MediaName, StoredImage } from '../media/model.ts'
import type { Email } from '../values/addresses.ts'
import type { ItemId, LabelId } from '../values/ids.ts'
import type { PageRequest, ResultSet } from '../values/page.ts'
import type { ValidationFailed } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Language } from '../values/text.ts'
import type { Instant } from '../values/time.ts'
import type { FeedCursor, FeedQuery, LibraryCursor, LibraryQuery } from './finding.ts'
import type { LinkChecker, LinkFindings } from './link-ports.ts'
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
  PreconditionFailed,
  UnpublishedFeedItem,
  UnpublishedLibraryItem,
} from './model.ts'
import type { LinkedCounterpart } from './older.ts'
import type {
  NewProposal,
  Proposal,
  ProposalExists,
  ProposalId,
  ProposalName,
  ProposalNotFound,
} from './proposals.ts'
import type { PublicationPage, PublicationQuery, PublicationWindow } from './publications.ts'
import type { Counterpart, CounterpartNotFound, HasCounterpart, VisibilityPolicy } from './rules.ts'
import type { ScheduledChange, ScheduledMoment } from './schedules.ts'

export * from './link-ports.ts'

/** What content and the areas before it ask of the world. */
export interface ContentPorts extends HistoryPorts {
  readonly libraryItems: LibraryItems
  readonly feedItems: FeedItems
  readonly feedAuthors: FeedAuthors
  readonly proposals: Proposals
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
  /** The proposal that the write carries out, which it closes (C16). If that is not open, or has another moment by now, the write fails with ItemNotFound. */
  readonly carriesOut?: Pick<Proposal, 'id' | 'publishAt'>
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
   * Takes back a deletion that was made at this moment or later, and not by a clock that was far ahead (`isFarAhead`, I9): the item, its labels, link, author and images are as before (C18). Labels that a load removed
   * meanwhile stay away, as does a counterpart that was linked, changed its language or was deleted. The receipt is stored in the same transaction.
   */
  putBack(
    id: ItemId,
    removal: DraftRemoval,
    madeSince: Instant,
    receipt?: Receipt<Item>,
  ): TaskEither<ItemNotFound | Unavailable, Item>
  /**
   * Forgets some items that were deleted at this moment or before, or by a clock that was far ahead of now (`isFarAhead`, I9). Returns how many, and
   * the images that lost their last holder (D5).
   */
  purgeRemoved(
    removedBy: Instant,
    now: Instant,
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

/** A version of a proposal and its references to stored images, which are written together (C16). */
export interface ProposalWrite
  extends Pick<ItemWrite<never>, 'storesImages' | 'displaysImages' | 'linksToImages'> {
  readonly proposal: NewProposal
  /** The open version that it takes the place of; absent for the first proposal of an item. */
  readonly replaces?: ProposalId
  readonly act: TimedAct
  /** What its audit record says. */
  readonly changes: ReadonlyArray<FieldChange>
}

/**
 * The proposals for Live items: one that is open for an item at most (C16). Closed ones, and versions that were replaced, stay until they are purged. Their
 * images stay known as long. `LibraryItems.change` and `FeedItems.change` close the ones they carry out.
 */
export interface Proposals {
  /** Returns open proposals, the oldest first: at most this many. */
  all(most: number): TaskEither<Unavailable, ReadonlyArray<Proposal>>
  /** Returns the open proposal for an item. */
  find(contentType: ContentType, itemId: ItemId): TaskEither<Unavailable, Option<Proposal>>
  /**
   * Opens a proposal, or replaces the open one. PreconditionFailed if the item is not at the base any more, or if the open one is not the one to replace.
   * Who proposed it is forgotten if that person was disabled or erased meanwhile.
   */
  put(
    write: ProposalWrite,
    receipt?: Receipt<Proposal>,
  ): TaskEither<
    ItemNotFound | ImageMissing | PreconditionFailed | ProposalExists | ProposalNotFound | Unavailable,
    Proposal
  >
  /** Closes an open proposal. */
  discard(proposal: ProposalName, act: TimedAct): TaskEither<ProposalNotFound | Unavailable, Proposal>
  /** Opens a proposal that was closed at this moment or later, and not by a clock that was far ahead (`isFarAhead`, I9), as `reopened` says. The receipt is stored in the same transaction. */
  putBack(
    proposal: ProposalName,
    act: TimedAct,
    closedSince: Instant,
    receipt?: Receipt<Proposal>,
  ): TaskEither<ProposalExists | ProposalNotFound | Unavailable, Proposal>
  /** Returns the open proposals with a moment, in the order of time: at most this many. */
  upcoming(most: number): TaskEither<Unavailable, ReadonlyArray<Proposal>>
  /** Takes the moment of an open proposal away because it could not be published then, and records why. False if it has no moment any more. */
  fail(
    proposal: ProposalName,
    missing: ReadonlyArray<string>,
    act: TimedAct,
  ): TaskEither<Unavailable, boolean>
  /** Forgets some proposals that were closed at this moment or before, or by a clock that was far ahead of now (I9). Returns how many, and the images that lost their last holder (D5). */
  purge(
    closedBy: Instant,
    now: Instant,
  ): TaskEither<Unavailable, { readonly proposals: number; readonly orphans: ReadonlyArray<MediaName> }>
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
