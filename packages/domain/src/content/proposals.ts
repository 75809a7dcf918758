import * as O from 'fp-ts/lib/Option.js'
import type { TimedAct } from '../access/acts.ts'
import type { Actor } from '../access/caller.ts'
import { type ContentType, changesBetween, type FieldChange, type Fields } from '../history/model.ts'
import type { ItemId } from '../values/ids.ts'
import type { Branded } from '../values/refined.ts'
import { type Instant, toRfc3339 } from '../values/time.ts'
import { ITEM_NOT_FOUND, type ItemNotFound, type PreconditionFailed } from './model.ts'
import { MISSING_FIELD, SCHEDULE_PARTS } from './schedules.ts'

/** Names one version of a proposal: each change of its text, images or moment has another name, so that managers publish only what they have seen. */
export type ProposalId = Branded<string, 'ProposalId'>

/** Why a proposal was not published at its moment (C16). */
export interface ProposalFailure {
  readonly at: Instant
  /** The names of the fields that did not hold what a Live item needs; `revision` if the item has changed since the proposal began. */
  readonly missing: ReadonlyArray<string>
}

/** A rewrite of a Live item that content managers see, and readers do not (C16). */
export interface Proposal {
  readonly id: ProposalId
  readonly contentType: ContentType
  readonly itemId: ItemId
  /** The revision of the item that it began from. */
  readonly baseRevision: number
  /** The fields of that revision, for a merge of three (K3). */
  readonly base: Fields
  /** The fields of the item as proposed. Its schedule is none of them: that of the item stays. */
  readonly state: Fields
  /** Who proposed it; none since that person was disabled or erased. */
  readonly by: O.Option<Actor>
  readonly at: Instant
  /** When it is published by itself. */
  readonly publishAt: O.Option<Instant>
  /** What happened at its latest moment, if it was not published then. */
  readonly failure: O.Option<ProposalFailure>
}

/** A proposal by its item and its version. */
export type ProposalName = Pick<Proposal, 'contentType' | 'itemId' | 'id'>

/** A proposal as it is written: the store knows who proposed it first, and when. */
export type NewProposal = Omit<Proposal, 'by' | 'at' | 'failure'>

/** The item has no proposal, or this one was published or discarded. */
export interface ProposalNotFound {
  readonly _tag: 'ProposalNotFound'
}

/** The one {@link ProposalNotFound}. */
export const PROPOSAL_NOT_FOUND: ProposalNotFound = { _tag: 'ProposalNotFound' }

/** The item has a proposal already (C16). */
export interface ProposalExists {
  readonly _tag: 'ProposalExists'
  readonly first: Pick<Proposal, 'id' | 'by' | 'at'>
}

/** Only changes of Live items are proposed; others are simply saved (C16). */
export interface NotProposable {
  readonly _tag: 'NotProposable'
}

/** Returns the fields of a proposal that is recorded: those of the item, and its moment. */
const recorded = ({ state, publishAt }: Pick<Proposal, 'state' | 'publishAt'>): Fields => ({
  ...withoutSchedule(state),
  publishAt: O.isSome(publishAt) ? toRfc3339(publishAt.value) : '',
})

/** Returns the fields of an item without the moments of its schedule. */
export const withoutSchedule = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !SCHEDULE_PARTS.some((part) => part === name)))

/** Returns what a proposal changes, for its audit record (K1). @param before the version until then; absent for the first */
export const proposalChanges = (
  before: Pick<Proposal, 'state' | 'publishAt'> | undefined,
  after: NewProposal,
): ReadonlyArray<FieldChange> =>
  changesBetween(recorded(before ?? { state: after.base, publishAt: O.none }), recorded(after))

/** Returns the fields of a proposal for an item as it is now: what only the item has changed since the proposal began is as it is there (C16). */
export const rebased = ({ base, state }: Pick<Proposal, 'base' | 'state'>, current: Fields): Fields => ({
  ...withoutSchedule(current),
  ...Object.fromEntries(Object.entries(state).filter(([name, value]) => value !== base[name])),
})

/** Returns whether an item is still as it was when a proposal for it began. */
export const isAtBase = (
  { baseRevision }: Pick<Proposal, 'baseRevision'>,
  item: O.Option<{ readonly revision: number }>,
): boolean => O.isSome(item) && item.value.revision === baseRevision

/**
 * Returns a proposal as it is put back: an item with the fields of its base again is its base, even after other revisions. A moment that has come
 * would act at once, unasked.
 */
export const reopened = (
  proposal: Proposal,
  item: { readonly revision: number; readonly fields: Fields },
  now: Instant,
): Proposal => {
  const isBase = changesBetween(withoutSchedule(proposal.base), withoutSchedule(item.fields)).length === 0
  const isAhead = O.isSome(proposal.publishAt) && proposal.publishAt.value > now
  return {
    ...proposal,
    baseRevision: isBase ? item.revision : proposal.baseRevision,
    publishAt: isAhead ? proposal.publishAt : O.none,
  }
}

/** Returns the failure of a second proposal for an item (C16). */
export const proposalExists = ({ id, by, at }: Proposal): ProposalExists => ({
  ...{ _tag: 'ProposalExists', first: { id, by, at } },
})

/** Returns why a version may not be written; undefined if it may. @param open the proposal that the item has */
export const versionRefusal = (
  { baseRevision }: NewProposal,
  replaces: ProposalId | undefined,
  open: Proposal | undefined,
  item: { readonly revision: number } | undefined,
): ItemNotFound | ProposalExists | ProposalNotFound | PreconditionFailed | undefined => {
  if (item === undefined) return ITEM_NOT_FOUND
  if (replaces === undefined && open !== undefined) return proposalExists(open)
  if (replaces !== undefined && open === undefined) return PROPOSAL_NOT_FOUND
  const isExpected = open?.id === replaces && isAtBase({ baseRevision }, O.some(item))
  return isExpected ? undefined : { _tag: 'PreconditionFailed' }
}

/** Returns the changes of the record of a moment at which a proposal was not published (C16, K1). */
export const failureChanges = (
  { publishAt }: Pick<Proposal, 'publishAt'>,
  missing: ReadonlyArray<string>,
): ReadonlyArray<FieldChange> => [
  ...(O.isSome(publishAt) ? [{ field: 'publishAt', before: toRfc3339(publishAt.value), after: '' }] : []),
  { field: MISSING_FIELD, before: null, after: missing.join(',') },
]

/** Returns the change of a record about a proposal that ends, or is there again. */
export const proposalChange = (before: ProposalId | null, after: ProposalId | null): FieldChange => ({
  field: 'proposal',
  before,
  after,
})

/** Returns the proposal that follows from a write. @param first what the item had before, whose author and time stay */
export const writtenProposal = (
  proposal: NewProposal,
  { actor, at }: TimedAct,
  first: Pick<Proposal, 'by' | 'at'> | undefined,
  isThere: boolean,
): Proposal => ({
  ...proposal,
  by: first === undefined ? (isThere ? O.some(actor) : O.none) : first.by,
  at: first?.at ?? at,
  failure: O.none,
})
