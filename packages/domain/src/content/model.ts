import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { TimedAct } from '../access/acts.ts'
import type { Caller } from '../access/caller.ts'
import type { FieldChange } from '../history/model.ts'
import { type ImageRef, linked, type MediaName, stored } from '../media/model.ts'
import type { Email, WebUrl } from '../values/addresses.ts'
import type { ClientId, ItemId, LabelId } from '../values/ids.ts'
import { type Condition, type FieldError, type FieldErrors, fieldError } from '../values/parameters.ts'
import { type Branded, oneOf } from '../values/refined.ts'
import { type ItemDescription, type ItemTitle, type LabelName, searchWords } from '../values/text.ts'
import type { Instant } from '../values/time.ts'
import {
  FEED_FIELDS,
  type FeedKind,
  type FieldSet,
  type ITEM_FIELDS,
  LIBRARY_FIELDS,
  type OwnValues,
  ownFields,
  readerOf,
} from './fields.ts'

/** The common fields of all items. */
export interface ItemCore extends OwnValues<typeof ITEM_FIELDS> {
  readonly id: ItemId
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** Grows by one with each write, from 1: what an ETag stands for (C10). */
  readonly revision: number
}

/** There is no such item, or the caller may not know of it. */
export interface ItemNotFound {
  readonly _tag: 'ItemNotFound'
}

/** The one {@link ItemNotFound}. */
export const ITEM_NOT_FOUND: ItemNotFound = { _tag: 'ItemNotFound' }

/** The revisions that a writer is ready to overwrite; none: any (C10). */
export type Precondition = O.Option<ReadonlySet<number>>

/** The item has moved on since the writer looked (C10). */
export interface PreconditionFailed {
  readonly _tag: 'PreconditionFailed'
}

/** The item or notification, if it is as the writer expects. */
export const checkPrecondition =
  (expected: Precondition) =>
  <I extends Pick<ItemCore, 'revision'>>(item: I): E.Either<PreconditionFailed, I> =>
    O.isNone(expected) || expected.value.has(item.revision)
      ? E.right(item)
      : E.left({ _tag: 'PreconditionFailed' })

/** The next revision of an item, written at this moment. */
export const nextRevision = <I extends ItemCore>(item: I, now: I['updatedAt']): I => ({
  ...item,
  revision: item.revision + 1,
  updatedAt: now,
})

/** The states of an item. Only a Live one is seen by others than content managers (A3). */
export const STATUSES = ['Draft', 'Live', 'Archived'] as const
/** One of {@link STATUSES}. */
export type Status = (typeof STATUSES)[number]

/** `status`, matched exactly (B6). */
export const Status = oneOf('Status', STATUSES, 'Status of the item.')

/** The moves that are allowed, by the state they start from (C5). */
export const TRANSITIONS: Readonly<Record<Status, ReadonlyArray<Status>>> = {
  Draft: ['Draft', 'Live', 'Archived'],
  Live: ['Live', 'Draft', 'Archived'],
  Archived: ['Archived', 'Draft'],
}

/** The table of C5 has no such move. */
export interface IllegalTransition {
  readonly _tag: 'IllegalTransition'
  readonly from: Status
  readonly to: Status
}

/** The state entered, if the table allows it (C5). */
export const transition = (from: Status, to: Status): E.Either<IllegalTransition, Status> =>
  TRANSITIONS[from].includes(to) ? E.right(to) : E.left({ _tag: 'IllegalTransition', from, to })

/** The members of an item that filters look at, beside its date and its labels. */
export interface Filterable {
  readonly title: ItemTitle
  readonly description: ItemDescription
  readonly status: Status
  readonly isDonorRestricted: boolean
  readonly publishAt: O.Option<Instant>
  readonly archiveAt: O.Option<Instant>
}

/** Returns the properties of items that hold texts for readers. */
export const textProperties = (fields: FieldSet): ReadonlyArray<string> =>
  ownFields(fields).flatMap(([, { kind, property }]) => (kind === 'text' ? [property] : []))

const TEXT_READERS = [...new Set(textProperties({ ...LIBRARY_FIELDS, ...FEED_FIELDS }))].map((property) =>
  readerOf({ kind: 'text', property }),
)

/** Returns all texts of an item of either type, in which words are searched (J2). U+0000, which no text holds (B6), stands between them. */
export const textsOf = (item: object): string => TEXT_READERS.map((read) => read(item) ?? '').join('\u0000')

/** The texts of an item that every item has. Its other texts count too (J2). */
export type ItemTexts = Pick<Filterable, 'title' | 'description'>

/** Returns the words of an item, folded and each after a space, so that ` wat` is found in it where a word begins with `wat` (J2). */
export const searchTextOf = (item: ItemTexts): string => ['', ...searchWords(textsOf(item))].join(' ')

/** A demand that content must meet to be Live: the fault when it does not. */
type Rule<A> = (content: A) => O.Option<FieldError>

const hasCover: Rule<MaybeImages> = ({ cover }) =>
  O.isSome(cover)
    ? O.none
    : O.some(fieldError('coverImgUrl', 'is required to be Live: give it or upload a cover'))

const hasNotificationImage: Rule<MaybeImages> = ({ notification }) =>
  O.isSome(notification)
    ? O.none
    : O.some(
        fieldError('notificationImgUrl', 'is required to be Live: give it or upload a notification image'),
      )

/** What a library item needs to be Live (C6). */
export const LIBRARY_RULES: ReadonlyArray<Rule<MaybeImages>> = [hasCover, hasNotificationImage]

const photoShowsSomething: Rule<FeedContent> = (content) =>
  content.kind !== 'photo' || O.isSome(content.link) || O.isSome(content.image)
    ? O.none
    : O.some(fieldError('link', 'is required for a photo to be Live: give it or upload an image'))

/** What a feed item needs to be Live beyond what its type holds anyway (C7). */
export const FEED_RULES: ReadonlyArray<Rule<FeedContent>> = [photoShowsSomething]

const meeting =
  <A, B extends A>(rules: ReadonlyArray<Rule<A>>) =>
  (content: A): E.Either<FieldErrors, B> => {
    const [first, ...rest] = rules.flatMap((rule) => RA.fromOption(rule(content)))
    // The rules are what makes the narrower type true.
    return first === undefined ? E.right(content as B) : E.left([first, ...rest])
  }

/** The images of a Live library item, or every unmet rule at once (C6). */
export const publishableImages = meeting<MaybeImages, BothImages>(LIBRARY_RULES)

/** The content of a Live feed item, or every unmet rule at once (C7). */
export const publishableContent = meeting<FeedContent, ShownContent>(FEED_RULES)

/** The author of a post, as recorded at its creation (L3). Later changes of the client do not change it. */
export interface Author {
  readonly clientId: ClientId
  /** The user that the client was bound to. */
  readonly email: O.Option<Email>
}

/** Returns the author of a post that a caller creates. */
export const authorOf = ({ clientId, email }: Caller): Author => ({ clientId, email })

/** The two images of a library item, as the interface's paths name them. */
export const LIBRARY_IMAGES = ['cover', 'notification'] as const
/** One of {@link LIBRARY_IMAGES}. */
export type LibraryImage = (typeof LIBRARY_IMAGES)[number]

/** The fields of a publication in every status, without its images. */
export interface LibraryContent extends ItemCore, OwnValues<typeof LIBRARY_FIELDS> {}

/** The images an unpublished item may hold. */
export type MaybeImages = Readonly<Record<LibraryImage, O.Option<ImageRef>>>

/** A Live item shows both (C6). */
export type BothImages = Readonly<Record<LibraryImage, O.Some<ImageRef>>>

/** A publication that only content managers see. Its images may be missing. */
export interface UnpublishedLibraryItem extends LibraryContent {
  readonly status: 'Draft' | 'Archived'
  readonly images: MaybeImages
}

/** A publication that is out: both images are there, by type (C6). */
export interface LiveLibraryItem extends LibraryContent {
  readonly status: 'Live'
  readonly images: BothImages
}

/** A publication of the library, in any state. */
export type LibraryItem = UnpublishedLibraryItem | LiveLibraryItem

interface Unstated {
  readonly link: O.Option<WebUrl>
  readonly vlink: O.Option<WebUrl>
  /** The uploaded image. */
  readonly image: O.Option<MediaName>
}

/** A post whose content does not yet say enough to be shown only where `photo` is: the others carry their link always. */
export type FeedContent =
  | (Unstated & { readonly kind: 'photo' })
  | (Unstated & { readonly kind: 'link'; readonly link: O.Some<WebUrl> })
  | (Unstated & { readonly kind: 'vlink'; readonly vlink: O.Some<WebUrl> })

/** A photo post that has something to show (C7). */
export type ShownPhoto = Unstated & { readonly kind: 'photo' } & (
    | { readonly link: O.Some<WebUrl> }
    | { readonly image: O.Some<MediaName> }
  )

/** Content that may be Live (C7). */
export type ShownContent = ShownPhoto | Exclude<FeedContent, { readonly kind: 'photo' }>

/** What a writer says of a post's content; the link that its type needs is always there (C7). */
export type SentContent =
  | { readonly kind: 'photo'; readonly link: O.Option<WebUrl>; readonly vlink: O.Option<WebUrl> }
  | { readonly kind: 'link'; readonly link: O.Some<WebUrl>; readonly vlink: O.Option<WebUrl> }
  | { readonly kind: 'vlink'; readonly link: O.Option<WebUrl>; readonly vlink: O.Some<WebUrl> }

const neededByItsType = (kind: 'link' | 'vlink'): Condition => ({
  field: kind,
  message: `is required when itemType is ${kind}`,
  unmet: ({ itemType, [kind]: url }) => itemType === kind && url === undefined,
})

/** `link` and `vlink` come with every post of their type, and with every update of it (C7). */
export const CONTENT_CONDITIONS: ReadonlyArray<Condition> = [
  neededByItsType('link'),
  neededByItsType('vlink'),
]

/** The content that decoded parameters describe; the conditions above have seen to the link that a type needs. */
export const sentContent = (sent: {
  readonly itemType: FeedKind
  readonly link?: WebUrl | undefined
  readonly vlink?: WebUrl | undefined
}): SentContent =>
  ({ kind: sent.itemType, link: O.fromNullable(sent.link), vlink: O.fromNullable(sent.vlink) }) as SentContent

/** The fields of a post in every status, without its content. */
export interface FeedCore extends ItemCore, OwnValues<typeof FEED_FIELDS> {}

/** A post that only content managers see. A photo may still have nothing to show. */
export interface UnpublishedFeedItem extends FeedCore {
  readonly status: 'Draft' | 'Archived'
  readonly content: FeedContent
}

/** A post that is out: what its kind shows is there, by type (C7). */
export interface LiveFeedItem extends FeedCore {
  readonly status: 'Live'
  readonly content: ShownContent
}

/** A post of the feed, in any state. */
export type FeedItem = UnpublishedFeedItem | LiveFeedItem

/** The properties that describe the images of a publication (D9). */
export const IMAGE_ALTS = { cover: 'coverAlt', notification: 'notificationAlt' } as const

/** The image that a post shows: the uploaded one or, for a photo, the one that its link leads to (C7). */
export const shownImage = ({ kind, image, link }: FeedContent): O.Option<ImageRef> => {
  if (O.isSome(image)) return O.some(stored(image.value))
  return kind === 'photo' ? O.map(linked)(link) : O.none
}

/** The image that stands for the item: the uploaded one (D3). */
export const relatedFeedImage = (item: FeedItem): O.Option<ImageRef> => O.map(stored)(item.content.image)

/** A word in both languages that items carry; the set is fixed by the operator (E1). */
export interface Label {
  readonly labelId: LabelId
  readonly en: LabelName
  readonly fr: LabelName
}

/** There is no such label, or the item does not carry it (E2). */
export interface LabelNotFound {
  readonly _tag: 'LabelNotFound'
}

/** The one {@link LabelNotFound}. */
export const LABEL_NOT_FOUND: LabelNotFound = { _tag: 'LabelNotFound' }

/** These labels are missing from the new set and still in use: by an item (E1), or by a notification that no review has started (G12). */
export interface LabelsInUse {
  readonly _tag: 'LabelsInUse'
  readonly labelIds: ReadonlyArray<LabelId>
}

/** What a load of labels took from the preferences of people (F6). */
export interface LeftTopics {
  /** How many people followed a label that is gone. */
  readonly people: number
  /** How many of them follow everything since. */
  readonly everything: number
}

/** Returns the change of attaching or detaching a label, for the audit record of an item (K1). */
export const labelChange = (before: LabelId | null, after: LabelId | null): FieldChange => ({
  field: 'label',
  before,
  after,
})

/** Returns whether two sets of labels are the same, in the same order. */
export const areSameLabels = (some: ReadonlyArray<Label>, others: ReadonlyArray<Label>): boolean =>
  some.length === others.length &&
  some.every(({ labelId, en, fr }, at) => {
    const other = others[at]
    return other?.labelId === labelId && other.en === en && other.fr === fr
  })

/** Names the deletion of a draft, so that it can be taken back (C18). */
export type DeletionId = Branded<string, 'DeletionId'>

/** A deletion as it is written (C18). */
export interface DraftRemoval {
  readonly deletionId: DeletionId
  readonly act: TimedAct
}

/** The item is not a Draft, or was Live once: it can be archived, not deleted (C18). */
export interface NotDeletable {
  readonly _tag: 'NotDeletable'
}

/** Where a publication stands (C3). */
export const libraryCursor = (item: LibraryItem) => ({
  key: item.publicationDate,
  id: item.id,
})

/** Where a post stands (C3). */
export const feedCursor = (item: FeedItem) => ({ key: item.createdAt, id: item.id })
