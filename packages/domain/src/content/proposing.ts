import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Action, Receipt, TimedAct } from '../access/acts.ts'
import { type Caller, permitted } from '../access/caller.ts'
import type { ContentType } from '../history/model.ts'
import type { StoredImage } from '../media/model.ts'
import type { ItemId } from '../values/ids.ts'
import type { ValidationFailed } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'
import type { EditRefused } from './edits.ts'
import { storeUpload } from './images.ts'
import {
  checkPrecondition,
  type FeedItem,
  ITEM_NOT_FOUND,
  type ItemNotFound,
  type LibraryItem,
  type Precondition,
  type PreconditionFailed,
} from './model.ts'
import type { ContentPolicy, ContentPorts } from './ports.ts'
import {
  type ChangeProposal,
  type OneProposal,
  type ProposalPorts,
  type ProposeChange,
  type ProposedChange,
  type ProposedKind,
  type ProposeError,
  type ProposeImage,
  type ProposeImageError,
  proposedKinds,
} from './proposal-kinds.ts'
import {
  type NewProposal,
  type NotProposable,
  PROPOSAL_NOT_FOUND,
  type Proposal,
  type ProposalId,
  type ProposalNotFound,
  proposalChanges,
  rebased,
  withoutSchedule,
} from './proposals.ts'
import { HAS_COUNTERPART, type HasCounterpart, rejectMissingImages } from './rules.ts'

type Saved<E> = Promise<E.Either<E, Proposal>>

/** Finds the open proposal for an item, if it is the version that the caller has seen. */
export const findVersion = async (
  { proposals }: Pick<ContentPorts, 'proposals'>,
  { contentType, itemId, proposalId }: OneProposal,
): Saved<ProposalNotFound | PreconditionFailed | Unavailable> => {
  const found = await proposals.find(contentType, itemId)()
  if (E.isLeft(found)) return found
  if (O.isNone(found.right)) return E.left(PROPOSAL_NOT_FOUND)
  return found.right.value.id === proposalId
    ? E.right(found.right.value)
    : E.left({ _tag: 'PreconditionFailed' })
}

/** A version of a proposal that is to be written. */
interface Draft {
  readonly contentType: ContentType
  readonly itemId: ItemId
  /** The version to replace; absent for a first proposal. */
  readonly replaced?: Proposal
  readonly action: Action
  /** Absent where text and images stay. */
  readonly change?: E.Either<ValidationFailed, ProposedChange<AnyItem>>
  readonly publishAt: O.Option<Instant>
  readonly stores?: ReadonlyArray<StoredImage>
}

type AnyItem = LibraryItem | FeedItem
type AnyKind = ProposedKind<AnyItem>

/** Finds the item of a proposal: as the writer expects it, and Live (C16). */
const findLive = async (
  { items }: AnyKind,
  itemId: ItemId,
  expected: Precondition,
): Promise<E.Either<ItemNotFound | PreconditionFailed | NotProposable | Unavailable, AnyItem>> => {
  const found = await items.find(itemId)()
  if (E.isLeft(found)) return found
  if (O.isNone(found.right)) return E.left(ITEM_NOT_FOUND)
  const checked = checkPrecondition(expected)(found.right.value)
  return E.isRight(checked) && checked.right.status !== 'Live' ? E.left({ _tag: 'NotProposable' }) : checked
}

/** Returns an item as a draft would leave it. */
const drafted = (
  { proposed, fieldsOf }: AnyKind,
  { replaced, change = E.right(E.right) }: Draft,
  current: AnyItem,
): E.Either<EditRefused, AnyItem> =>
  pipe(
    replaced === undefined
      ? E.right(E.right)
      : proposed({ ...replaced, state: rebased(replaced, fieldsOf(current)) }),
    E.flatMap((earlier: ProposedChange<AnyItem>) => earlier(current)),
    E.flatMap((item) =>
      E.flatMap((typed: ProposedChange<AnyItem>): E.Either<EditRefused, AnyItem> => typed(item))(change),
    ),
  )

/** Refuses another language of a publication that has a counterpart (J7). */
const checkLanguage = async (
  { translations }: Pick<ContentPorts, 'translations'>,
  { contentType, itemId }: Draft,
  isSame: boolean,
): Promise<E.Either<HasCounterpart | Unavailable, void>> => {
  if (isSame || contentType === 'feed') return E.right(undefined)
  const linked = await translations.ofItems([itemId])()
  if (E.isLeft(linked)) return linked
  return linked.right.has(itemId) ? E.left(HAS_COUNTERPART) : E.right(undefined)
}

/** Makes the function that writes a version of a proposal, from the item as it is now: that is its base (C16). */
const makeSave = (ports: ProposalPorts, kinds: Readonly<Record<ContentType, AnyKind>>) => {
  /** Writes the version that makes one item of another. */
  const write = async (
    { actor }: Caller,
    { contentType, itemId, replaced, action, publishAt, stores = [] }: Draft,
    current: AnyItem,
    next: AnyItem,
    receipt?: Receipt<Proposal>,
  ): Saved<ProposeError> => {
    const { written, fieldsOf, imagesOf } = kinds[contentType]
    const act: TimedAct = { actor, action, at: ports.clock.now() }
    const { displaysImages, linksToImages } = written(next, act)
    const proposal: NewProposal = {
      // The identifiers of items are unique in the whole service.
      id: ports.ids.nextItemId() as string as ProposalId,
      ...{ contentType, itemId, baseRevision: current.revision, publishAt },
      base: withoutSchedule(fieldsOf(current)),
      state: withoutSchedule(fieldsOf(next)),
    }
    const references = { displaysImages, linksToImages, storesImages: stores }
    const changes = proposalChanges(replaced, proposal)
    const version = { proposal, act, changes, ...references, ...(replaced && { replaces: replaced.id }) }
    const done = await ports.proposals.put(version, receipt)()
    return E.isLeft(done) && done.left._tag === 'ImageMissing'
      ? rejectMissingImages(ports.knownImages, imagesOf(next), done.left)()
      : (done as E.Either<ProposeError, Proposal>)
  }

  return async (
    caller: Caller,
    draft: Draft,
    expected: Precondition,
    receipt?: Receipt<Proposal>,
  ): Saved<ProposeError> => {
    const kind = kinds[draft.contentType]
    const current = await findLive(kind, draft.itemId, expected)
    if (E.isLeft(current)) return current
    const next = drafted(kind, draft, current.right)
    if (E.isLeft(next)) return next
    const spoken = await checkLanguage(ports, draft, next.right.lang === current.right.lang)
    return E.isLeft(spoken) ? spoken : write(caller, draft, current.right, next.right, receipt)
  }
}

type LibraryPolicy = Pick<ContentPolicy, 'timeZone'>

/** Shares a rewrite of a Live item with all content managers (C16). The revision that the caller expects is its base; ProposalExists if there is one. */
export const makeProposeChange = (ports: ProposalPorts, policy: LibraryPolicy) => {
  const kinds = proposedKinds(ports, policy)
  const save = makeSave(ports, kinds)
  return (
    caller: Caller,
    { contentType, itemId, fields, publishAt = O.none }: ProposeChange,
    expected: Precondition,
    receipt?: Receipt<Proposal>,
  ): TE.TaskEither<ProposeError, Proposal> =>
    permitted(
      'propose',
      caller,
    )(() => {
      const change = kinds[contentType].typed(itemId, fields)
      const draft = { contentType, itemId, action: 'propose', change, publishAt } as const
      return () => save(caller, draft, expected, receipt)
    })
}

/**
 * Replaces the text of a proposal, its moment, or both (C16). With a text its base is the present item from then on, so that a merge is stored; without
 * one, PreconditionFailed if the item has changed since it began.
 */
export const makeChangeProposal = (ports: ProposalPorts, policy: LibraryPolicy) => {
  const kinds = proposedKinds(ports, policy)
  const save = makeSave(ports, kinds)
  return (
    caller: Caller,
    { fields, publishAt, ...one }: ChangeProposal,
    expected: Precondition,
  ): TE.TaskEither<ProposeError, Proposal> =>
    permitted(
      'propose',
      caller,
    )(() => async () => {
      const found = await findVersion(ports, one)
      if (E.isLeft(found)) return found
      const { right: replaced } = found
      const { contentType, itemId } = one
      const draft = {
        ...{ contentType, itemId, replaced, action: 'change-proposal' as const },
        publishAt: publishAt ?? replaced.publishAt,
        ...(fields && { change: kinds[contentType].typed(itemId, fields) }),
      }
      return save(caller, draft, fields === undefined ? O.some(new Set([replaced.baseRevision])) : expected)
    })
}

/** Stores an image that a proposal shows (C16, D1). The item keeps its own until the proposal is published. */
export const makeProposeImage = (
  ports: ProposalPorts & Pick<ContentPorts, 'imageChecker' | 'mediaStore' | 'secrets'>,
  policy: LibraryPolicy,
) => {
  const kinds = proposedKinds(ports, policy)
  const save = makeSave(ports, kinds)
  return (
    caller: Caller,
    { image: which, ...one }: ProposeImage,
    bytes: Uint8Array,
    _expected: Precondition,
    receipt?: Receipt<Proposal>,
  ): TE.TaskEither<ProposeImageError, Proposal> =>
    permitted(
      'propose',
      caller,
    )(() => {
      const { illustrated, imageRule } = kinds[one.contentType]
      return pipe(
        () => findVersion(ports, one),
        TE.flatMap((replaced) =>
          storeUpload(ports, caller, bytes, imageRule, (image) => {
            const { contentType, itemId, publishAt, baseRevision } = replaced
            const draft = {
              ...{ contentType, itemId, replaced, action: 'change-proposal' as const, publishAt },
              change: E.right((item: AnyItem) => E.right(illustrated(item, which, image))),
              stores: [image],
            }
            return () => save(caller, draft, O.some(new Set([baseRevision])), receipt)
          }),
        ),
      )
    })
}
