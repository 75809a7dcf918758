import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Act, type Receipt, receiptFrom, type TimedAct, UNDO_TIME } from '../access/acts.ts'
import { type Caller, type InsufficientScope, isSameActor, permitted } from '../access/caller.ts'
import type { ItemId } from '../values/ids.ts'
import { parameters, type ValidationFailed } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { addMillis, type Instant } from '../values/time.ts'
import type { EditRefused } from './edits.ts'
import {
  checkPrecondition,
  type FeedItem,
  type LibraryItem,
  type Precondition,
  type PreconditionFailed,
} from './model.ts'
import type { ContentPolicy, ContentPorts, ImageMissing, ItemWrite } from './ports.ts'
import { type KindPorts, type OneProposal, proposedKinds, type ShowProposal } from './proposal-kinds.ts'
import {
  isAtBase,
  PROPOSAL_NOT_FOUND,
  type Proposal,
  type ProposalExists,
  type ProposalNotFound,
} from './proposals.ts'
import { findVersion } from './proposing.ts'
import type { HasCounterpart } from './rules.ts'
import { changeItem, discard } from './writing.ts'

/** A proposal as a manager sees it. */
export interface ShownProposal {
  readonly proposal: Proposal
  /** Whether the item is still as it was when the proposal began. */
  readonly isCurrent: boolean
  /** Whether this manager proposed it. */
  readonly isOwn: boolean
}

/** Proposals that a list has at most. */
const MOST = 500

/** Parameters of GET /proposals. */
export const ListProposals = parameters({ name: 'ListProposals', required: {}, optional: {} })
export type ListProposals = typeof ListProposals._A

type Looking = Pick<ContentPorts, 'proposals' | 'libraryItems' | 'feedItems'>

/** Returns proposals as a manager sees them. */
const shown = (
  { libraryItems, feedItems }: Omit<Looking, 'proposals'>,
  { actor }: Caller,
  proposals: ReadonlyArray<Proposal>,
): TE.TaskEither<Unavailable, ReadonlyArray<ShownProposal>> => {
  const idsOf = (type: Proposal['contentType']): ReadonlyArray<ItemId> =>
    proposals.flatMap(({ contentType, itemId }) => (contentType === type ? [itemId] : []))
  return pipe(
    TE.Do,
    TE.bind('library', () => libraryItems.findAll(idsOf('library'))),
    TE.bind('feed', () => feedItems.findAll(idsOf('feed'))),
    TE.map(({ library, feed }) => {
      const items = new Map<ItemId, LibraryItem | FeedItem>([...library, ...feed].map((one) => [one.id, one]))
      return proposals.map((proposal) => ({
        proposal,
        isCurrent: isAtBase(proposal, O.fromNullable(items.get(proposal.itemId))),
        isOwn: O.isSome(proposal.by) && isSameActor(proposal.by.value, actor),
      }))
    }),
  )
}

/** How many proposals are open, 500 at most, and the first ones. */
export interface OpenProposals {
  readonly count: number
  readonly first: ReadonlyArray<ShownProposal>
}

/** Returns the first open proposals for the desk, failed ones before others, the oldest first. Asks for no scope. */
export const openProposals = (
  ports: Looking,
  caller: Caller,
  most: number,
): TE.TaskEither<Unavailable, OpenProposals> =>
  pipe(
    ports.proposals.all(MOST),
    TE.bindTo('all'),
    TE.bind('first', ({ all }) => {
      const [failed, waiting] = [true, false].map((has) => all.filter((one) => O.isSome(one.failure) === has))
      return shown(ports, caller, [...(failed ?? []), ...(waiting ?? [])].slice(0, most))
    }),
    TE.map(({ all, first }) => ({ count: all.length, first })),
  )

/** Lists the open proposals, the oldest first, 500 at most (C16). */
export const makeListProposals =
  (ports: Looking) =>
  (
    caller: Caller,
    _parameters: ListProposals,
  ): TE.TaskEither<InsufficientScope | Unavailable, ReadonlyArray<ShownProposal>> =>
    permitted(
      'propose',
      caller,
    )(() =>
      pipe(
        ports.proposals.all(MOST),
        TE.flatMap((found) => shown(ports, caller, found)),
      ),
    )

/** Shows the proposal for an item, with its base (C16). */
export const makeShowProposal =
  (ports: Looking) =>
  (
    caller: Caller,
    { contentType, itemId }: ShowProposal,
  ): TE.TaskEither<InsufficientScope | ProposalNotFound | Unavailable, ShownProposal> =>
    permitted(
      'propose',
      caller,
    )(() =>
      pipe(
        ports.proposals.find(contentType, itemId),
        TE.flatMap((found) => shown(ports, caller, O.isSome(found) ? [found.value] : [])),
        TE.flatMap(
          ([one]): TE.TaskEither<ProposalNotFound | Unavailable, ShownProposal> =>
            one === undefined ? TE.left(PROPOSAL_NOT_FOUND) : TE.right(one),
        ),
      ),
    )

/** How carrying a proposal out can fail. */
export type CarryingError =
  | PreconditionFailed
  | EditRefused
  | ValidationFailed
  | ImageMissing
  | HasCounterpart
  | ProposalNotFound
  | Unavailable

/** How publishing a proposal can fail. */
export type PublishError = InsufficientScope | CarryingError

/** A proposal that was published, and its item. */
export interface PublishedProposal {
  readonly proposal: Proposal
  readonly item: LibraryItem | FeedItem
}

/** The ports that publish proposals. */
export type PublishingPorts = KindPorts & Pick<ContentPorts, 'proposals' | 'mediaStore'>
type LibraryPolicy = Pick<ContentPolicy, 'timeZone'>

/** Makes the function that carries a proposal out: text and images in one revision, if the item is still at its base (C16). */
export const proposalPublisher = (ports: PublishingPorts, policy: LibraryPolicy) => {
  const kinds = proposedKinds(ports, policy)
  return (
    proposal: Proposal,
    expected: Precondition,
    act: Act,
    receipt?: Receipt<PublishedProposal>,
  ): TE.TaskEither<CarryingError, PublishedProposal> => {
    const { items, proposed, written } = kinds[proposal.contentType]
    const decide = (
      current: LibraryItem | FeedItem,
    ): E.Either<PreconditionFailed | EditRefused, ItemWrite<LibraryItem | FeedItem>> =>
      pipe(
        checkPrecondition(expected)(current),
        E.flatMap(checkPrecondition(O.some(new Set([proposal.baseRevision])))),
        E.flatMap(
          (item): E.Either<PreconditionFailed | EditRefused, LibraryItem | FeedItem> =>
            E.flatMap((change: (item: LibraryItem | FeedItem) => E.Either<EditRefused, typeof item>) =>
              change(item),
            )(proposed(proposal)),
        ),
        E.map((item) => ({
          ...written(item, { ...act, at: item.updatedAt }),
          act,
          carriesOut: proposal,
        })),
      )
    const keeping = receiptFrom(receipt, (item: LibraryItem | FeedItem) => ({ proposal, item }))
    return pipe(
      changeItem(items, ports.mediaStore, proposal.itemId, decide, keeping),
      TE.bimap(
        // A write fails so, too, if the proposal was closed or replaced meanwhile.
        (failure): CarryingError => (failure._tag === 'ItemNotFound' ? PROPOSAL_NOT_FOUND : failure),
        (item) => ({ proposal, item }),
      ),
    )
  }
}

/**
 * Publishes a proposal: text and images together, in one transaction and one revision (C16). PreconditionFailed if the item has changed since it began, or
 * if the proposal has.
 */
export const makePublishProposal = (ports: PublishingPorts, policy: LibraryPolicy) => {
  const carryOut = proposalPublisher(ports, policy)
  return (
    caller: Caller,
    one: OneProposal,
    expected: Precondition,
    receipt?: Receipt<PublishedProposal>,
  ): TE.TaskEither<PublishError, PublishedProposal> =>
    permitted(
      one.contentType === 'library' ? 'updateLibraryItem' : 'updateFeedItem',
      caller,
    )(() =>
      pipe(
        () => findVersion(ports, one),
        TE.flatMap(
          (proposal): TE.TaskEither<PublishError, PublishedProposal> =>
            carryOut(proposal, expected, { actor: caller.actor, action: 'publish-proposal' }, receipt),
        ),
      ),
    )
}

/** Discards a proposal, which {@link makeUndoProposal} takes back for an hour (C16, M12). */
export const makeDiscardProposal =
  (ports: Pick<ContentPorts, 'proposals' | 'clock'>) =>
  (
    caller: Caller,
    one: OneProposal,
  ): TE.TaskEither<InsufficientScope | ProposalNotFound | PreconditionFailed | Unavailable, Proposal> =>
    permitted(
      'propose',
      caller,
    )(() =>
      pipe(
        () => findVersion(ports, one),
        TE.flatMap((proposal) =>
          ports.proposals.discard(proposal, {
            ...{ actor: caller.actor, action: 'discard-proposal', at: ports.clock.now() },
          }),
        ),
      ),
    )

/**
 * Opens a proposal again that was discarded or published within the last hour (C16, M12). An item with the words and images of its base again is its base.
 * A moment that has come meanwhile is cleared.
 */
export const makeUndoProposal =
  ({ proposals, clock }: Pick<ContentPorts, 'proposals' | 'clock'>) =>
  (
    caller: Caller,
    { contentType, itemId, proposalId }: OneProposal,
    receipt?: Receipt<Proposal>,
  ): TE.TaskEither<InsufficientScope | ProposalExists | ProposalNotFound | Unavailable, Proposal> =>
    permitted(
      'propose',
      caller,
    )(() => {
      const at = clock.now()
      const act: TimedAct = { actor: caller.actor, action: 'restore', at }
      const closedSince = addMillis(at, -UNDO_TIME)
      return proposals.putBack({ contentType, itemId, id: proposalId }, act, closedSince, receipt)
    })

/** Forgets proposals that were closed an hour ago, and deletes the files that only they used (D5). */
export const makePurgeProposals =
  ({ proposals, mediaStore, clock }: Pick<ContentPorts, 'proposals' | 'mediaStore' | 'clock'>) =>
  (): TE.TaskEither<Unavailable, number> =>
    pipe(
      TE.fromIO<Instant, Unavailable>(clock.now),
      TE.flatMap((now) => proposals.purge(addMillis(now, -UNDO_TIME), now)),
      TE.tap(({ orphans }) => discard(mediaStore, orphans)),
      TE.map(({ proposals: forgotten }) => forgotten),
    )
