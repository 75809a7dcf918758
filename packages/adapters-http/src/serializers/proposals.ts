import type { Actor } from '@almoner/domain/access'
import {
  type OpenProposals,
  type Proposal,
  type ProposalFailure,
  presentValue,
  type ShownProposal,
} from '@almoner/domain/content'
import { CONTENT_TYPES, changesBetween } from '@almoner/domain/history'
import type { MediaAddresses } from '@almoner/domain/media'
import { type Language, toRfc3339 } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { int, LANG, literals, TIME, TIME_OR_EMPTY, under, uuid } from './codecs.ts'
import { ActorJson, encodeChanges, FieldChangeJson } from './history.ts'

/** The members of any proposal. `by` is null once its author was disabled or erased (L1). */
const COMMON = {
  proposalId: uuid('Identifier of the proposal, which each change of it replaces.'),
  contentType: literals(CONTENT_TYPES),
  itemId: uuid('Identifier of the item.'),
  baseRevision: t.Int,
  by: t.union([ActorJson, t.null]),
  at: TIME,
  publishAt: TIME_OR_EMPTY,
  failure: t.union([t.strict({ at: TIME, missing: t.array(t.string) }, 'ProposalFailure'), t.null]),
}

/** Whether the item is still as it was when the proposal began, and whether the caller made it. */
const SEEN = { isCurrent: t.boolean, isOwn: t.boolean }

/** The members of a whole proposal: the fields of its item where it began, as proposed, and their differences. */
const WHOLE = {
  ...COMMON,
  base: t.record(t.string, t.string),
  state: t.record(t.string, t.string),
  changes: t.array(FieldChangeJson),
}

/** A proposal as a write leaves it (C16). */
export const ProposalJson = under('proposal', WHOLE)

/** A proposal as managers read it (C16). */
export const ShownProposalJson = under('proposal', { ...WHOLE, ...SEEN }, 'ShownProposal')

const LISTED = { ...COMMON, ...SEEN, title: t.string, lang: LANG, fields: t.array(t.string) }

/** A proposal in a list, with the names of the fields that it changes (C16). */
export const ListedProposalJson = under('proposal', LISTED, 'ListedProposal')

/** How many proposals are open, and the first ones. */
export const OpenProposalsJson = t.strict(
  { count: t.Int, first: t.array(ListedProposalJson) },
  'OpenProposals',
)

const encodeActor = ({ kind, id }: Actor) => ({ kind, id })

const encodeFailure = ({ at, missing }: ProposalFailure) => ({ at: toRfc3339(at), missing: [...missing] })

const encodeCommon = ({ id, contentType, itemId, baseRevision, by, at, publishAt, failure }: Proposal) => ({
  proposalId: id,
  contentType,
  itemId,
  baseRevision: int(baseRevision),
  by: O.toNullable(O.map(encodeActor)(by)),
  at: toRfc3339(at),
  publishAt: O.isSome(publishAt) ? toRfc3339(publishAt.value) : ('' as const),
  failure: O.toNullable(O.map(encodeFailure)(failure)),
})

/** Writes a proposal; its images have their present addresses (D3). */
export const encodeProposal =
  (addresses: MediaAddresses) =>
  (proposal: Proposal): t.OutputOf<typeof ProposalJson> => {
    const present = presentValue(addresses)
    const encode = (fields: Proposal['state']) =>
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, present(name, value)]))
    const [base, state] = [encode(proposal.base), encode(proposal.state)]
    const changes = encodeChanges(addresses)(changesBetween(proposal.base, proposal.state))
    return { proposal: { ...encodeCommon(proposal), base, state, changes } }
  }

/** Writes a proposal as managers read it. */
export const encodeShownProposal =
  (addresses: MediaAddresses) =>
  ({ proposal, isCurrent, isOwn }: ShownProposal): t.OutputOf<typeof ShownProposalJson> => ({
    proposal: { ...encodeProposal(addresses)(proposal).proposal, isCurrent, isOwn },
  })

/** Writes a proposal of a list. */
export const encodeListedProposal = ({
  proposal,
  isCurrent,
  isOwn,
}: ShownProposal): t.OutputOf<typeof ListedProposalJson> => {
  const { base, state } = proposal
  return {
    proposal: {
      ...encodeCommon(proposal),
      ...{ isCurrent, isOwn, title: state['itemTitle'] ?? '', lang: state['lang'] as Language },
      fields: changesBetween(base, state).map(({ field }) => field),
    },
  }
}

/** Writes how many proposals are open, and the first ones. */
export const encodeOpenProposals = ({
  count,
  first,
}: OpenProposals): t.OutputOf<typeof OpenProposalsJson> => ({
  count: int(count),
  first: first.map(encodeListedProposal),
})
