import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as O from 'fp-ts/lib/Option.js'
import type { TimedAct } from '../access/acts.ts'
import type { InsufficientScope, RightsEnded } from '../access/caller.ts'
import { CONTENT_TYPES, type ContentType, type Fields } from '../history/model.ts'
import {
  FEED_IMAGE,
  type ImageFault,
  type ImageRule,
  LIBRARY_IMAGE,
  type StoredImage,
  stored,
} from '../media/model.ts'
import { ItemId } from '../values/ids.ts'
import { decode, parameters, type ValidationFailed } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import {
  clearable,
  isStorable,
  NOT_STORABLE,
  oneOf,
  type Refined,
  refined,
  TypedFields,
} from '../values/refined.ts'
import { type Instant, timestamp } from '../values/time.ts'
import {
  type EditRefused,
  editFeedItem,
  editLibraryItem,
  feedEditOf,
  libraryEditOf,
  restoreFeedItem,
  setFeedImage,
  setLibraryImage,
  UpdateFeedItem,
  UpdateLibraryItem,
} from './edits.ts'
import { FEED_FIELDS, feedFields, LIBRARY_FIELDS, libraryFields } from './fields.ts'
import {
  type FeedItem,
  type ItemNotFound,
  LIBRARY_IMAGES,
  type LibraryImage,
  type LibraryItem,
  type PreconditionFailed,
} from './model.ts'
import type { ContentPolicy, ContentPorts, ItemStore, ItemWrite } from './ports.ts'
import type { NotProposable, Proposal, ProposalExists, ProposalId, ProposalNotFound } from './proposals.ts'
import { asParameters, uploadOf } from './restoring.ts'
import { type HasCounterpart, type rejectMissingImages, todayFor } from './rules.ts'
import { feedWrite, libraryWrite } from './writing.ts'

/** Reads the name of a version of a proposal: any storable text, as one that was never given out is simply unknown. */
const ProposalVersion = refined<ProposalId>(
  'ProposalVersion',
  (text) => (isStorable(text) ? E.right(text as ProposalId) : E.left(NOT_STORABLE)),
  { type: 'string', description: 'Identifier of the proposal, which each change of it replaces.' },
)

const MOMENT =
  'When the proposal is published by itself, as a UNIX timestamp in seconds. An empty value clears it.'

const ProposedMoment: Refined<O.Option<Instant>> = clearable('ProposedMoment', timestamp('Moment', MOMENT), {
  ...{ type: 'string', pattern: '^[0-9]*$', example: '1893456000', description: MOMENT },
})

const OF_ITEM = {
  contentType: oneOf<ContentType>('ProposedType', CONTENT_TYPES, 'Content type of the item.'),
  itemId: ItemId,
}
const ONE = { ...OF_ITEM, proposalId: ProposalVersion }

/** Parameters of GET /proposals/<contentType>/<itemId>. */
export const ShowProposal = parameters({ name: 'ShowProposal', required: OF_ITEM, optional: {} })
export type ShowProposal = typeof ShowProposal._A

/** Parameters of POST /proposals/<contentType>/<itemId>: the parameters of an update as an editor has them, without the state. */
export const ProposeChange = parameters({
  name: 'ProposeChange',
  required: { ...OF_ITEM, fields: TypedFields },
  optional: { publishAt: ProposedMoment },
})
export type ProposeChange = typeof ProposeChange._A

/** Parameters of requests about one version of a proposal. */
export const OneProposal = parameters({ name: 'OneProposal', required: ONE, optional: {} })
export type OneProposal = typeof OneProposal._A

/** Parameters of PUT /proposals/<contentType>/<itemId>/<proposalId>. */
export const ChangeProposal = parameters({
  name: 'ChangeProposal',
  required: ONE,
  optional: { fields: TypedFields, publishAt: ProposedMoment },
  conditions: [
    {
      field: 'fields',
      message: 'is required unless publishAt is given',
      unmet: ({ fields, publishAt }) => fields === undefined && publishAt === undefined,
    },
  ],
})
export type ChangeProposal = typeof ChangeProposal._A

/** The images of items of either type, as paths name them. */
const PROPOSED_IMAGES = [...LIBRARY_IMAGES, 'image'] as const

/** Parameters of POST /proposals/<contentType>/<itemId>/<proposalId>/media/<image>: `image` is that of a post, the others of publications. */
export const ProposeImage = parameters({
  name: 'ProposeImage',
  required: { ...ONE, image: oneOf('ProposedImage', PROPOSED_IMAGES, 'Kind of image.') },
  optional: {},
  conditions: [
    {
      field: 'image',
      message: 'must be image for a post, and cover or notification for a publication',
      unmet: ({ contentType, image = '' }) =>
        PROPOSED_IMAGES.some((one) => one === image) && (contentType === 'feed') !== (image === 'image'),
    },
  ],
})
export type ProposeImage = typeof ProposeImage._A

/** How proposing can fail. */
export type ProposeError =
  | InsufficientScope
  | ItemNotFound
  | PreconditionFailed
  | NotProposable
  | ProposalExists
  | ProposalNotFound
  | HasCounterpart
  | EditRefused
  | ValidationFailed
  | Unavailable

/** How proposing another image can fail. */
export type ProposeImageError = ProposeError | ImageFault | RightsEnded

/** The ports of use cases that write proposals. */
export type ProposalPorts = Pick<
  ContentPorts,
  | ('proposals' | 'libraryItems' | 'feedItems' | 'clock' | 'ids' | 'mediaAddresses')
  | ('knownImages' | 'translations')
>

/** The ports that decide what a proposal makes of an item. */
export type KindPorts = Pick<ContentPorts, 'libraryItems' | 'feedItems' | 'clock' | 'mediaAddresses'>

/** How an item changes, or why it does not. */
export type ProposedChange<Item> = (current: Item) => E.Either<EditRefused, Item>

/** What proposals need to know of a content type. */
export interface ProposedKind<Item> {
  readonly items: Pick<ItemStore<Item, never, never, never>, 'find' | 'change'>
  /** Returns the change that the fields of an editor describe. */
  readonly typed: (itemId: ItemId, fields: TypedFields) => E.Either<ValidationFailed, ProposedChange<Item>>
  /** Returns the change that makes an item as a proposal has it. */
  readonly proposed: (
    proposal: Pick<Proposal, 'itemId' | 'state'>,
  ) => E.Either<ValidationFailed, ProposedChange<Item>>
  /** Returns an item that shows another stored image. */
  readonly illustrated: (item: Item, which: ProposeImage['image'], image: StoredImage) => Item
  /** Returns the write of an item, with the images that it shows. */
  readonly written: (item: Item, act: TimedAct) => ItemWrite<Item>
  /** Returns the fields of an item, as its history has them. */
  readonly fieldsOf: (item: Item) => Fields
  /** Returns the images that an item shows, for errors about missing ones. */
  readonly imagesOf: (item: Item) => Parameters<typeof rejectMissingImages>[1]
  readonly imageRule: ImageRule
}

/** Returns the parameters of an update of a Live item that the fields of an editor give. Proposals have a moment of their own (C16). */
const asUpdate = (itemId: ItemId, { publishAt: _, archiveAt: __, reason: ___, ...fields }: TypedFields) => ({
  ...fields,
  itemId,
  status: 'Live',
})

const ofLibrary = (
  { libraryItems, clock, mediaAddresses }: KindPorts,
  policy: Pick<ContentPolicy, 'timeZone'>,
): ProposedKind<LibraryItem> => {
  const change = (command: UpdateLibraryItem): ProposedChange<LibraryItem> =>
    editLibraryItem(libraryEditOf(mediaAddresses, command), clock.now(), todayFor(policy, clock))
  return {
    items: libraryItems,
    typed: (itemId, fields) => E.map(change)(decode(UpdateLibraryItem)(asUpdate(itemId, fields))),
    proposed: ({ itemId, state }) =>
      E.map(change)(
        decode(UpdateLibraryItem)(asParameters(LIBRARY_FIELDS, { itemId }, state, mediaAddresses)),
      ),
    illustrated: (item, which, { name }) =>
      setLibraryImage(item, which as LibraryImage, stored(name), clock.now()),
    written: (item, act) => libraryWrite(mediaAddresses, item, act),
    fieldsOf: libraryFields,
    imagesOf: ({ images }) => images,
    imageRule: LIBRARY_IMAGE,
  }
}

const ofFeed = ({ feedItems, clock, mediaAddresses }: KindPorts): ProposedKind<FeedItem> => ({
  items: feedItems,
  typed: (itemId, fields) =>
    pipe(
      decode(UpdateFeedItem)(asUpdate(itemId, fields)),
      E.map((command) => editFeedItem(feedEditOf(command), clock.now())),
    ),
  proposed: ({ itemId, state }) =>
    pipe(
      decode(UpdateFeedItem)(asParameters(FEED_FIELDS, { itemId }, state, mediaAddresses)),
      E.map((command) => restoreFeedItem(feedEditOf(command), uploadOf(state), clock.now())),
    ),
  illustrated: (item, _, { name }) => setFeedImage(item, name, clock.now()),
  written: (item, act) => feedWrite(mediaAddresses, item, act),
  fieldsOf: feedFields,
  imagesOf: () => ({}),
  imageRule: FEED_IMAGE,
})

/** Returns what proposals need to know of each content type. */
export const proposedKinds = (
  ports: KindPorts,
  policy: Pick<ContentPolicy, 'timeZone'>,
): Readonly<Record<ContentType, ProposedKind<LibraryItem | FeedItem>>> => ({
  // Each item comes from the store of its type.
  library: ofLibrary(ports, policy) as unknown as ProposedKind<LibraryItem | FeedItem>,
  feed: ofFeed(ports) as unknown as ProposedKind<LibraryItem | FeedItem>,
})
