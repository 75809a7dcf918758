import type { Actor } from '@almoner/domain/access'
import {
  failureChanges,
  feedFields,
  libraryFields,
  PROPOSAL_NOT_FOUND,
  type Proposal,
  type ProposalExists,
  type ProposalName,
  type ProposalNotFound,
  proposalChange,
  proposalExists,
  reopened,
  versionRefusal,
  writtenProposal,
} from '@almoner/domain/content'
import type { ContentType } from '@almoner/domain/history'
import type { Proposals } from '@almoner/domain/ports'
import type { Email, Instant, ItemId } from '@almoner/domain/values'
import { compareText, isFarAhead } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { withReceipt } from './access.ts'
import { recordAct } from './history.ts'
import { forgetUnheld, holdImages } from './results.ts'
import type { Tables } from './tables.ts'

const openIn = ({ proposals }: Pick<Tables, 'proposals'>): ReadonlyArray<Proposal> =>
  [...proposals.values()].flatMap(({ proposal, closedAt }) => (closedAt === undefined ? [proposal] : []))

const openFor = (tables: Tables, type: ContentType, id: ItemId): Proposal | undefined =>
  openIn(tables).find(({ contentType, itemId }) => contentType === type && itemId === id)

const isOpen = (tables: Tables, { contentType, itemId, id }: ProposalName): boolean =>
  openFor(tables, contentType, itemId)?.id === id

/** A proposal that a write carries out, with the moment that it had when it was read. */
export type CarriedProposal = ProposalName & Pick<Proposal, 'publishAt'>

/** Returns whether a version of a proposal is the open one of its item, and its moment is the same. */
export const isAsSeen = (tables: Tables, proposal: CarriedProposal): boolean => {
  const moment = openFor(tables, proposal.contentType, proposal.itemId)?.publishAt
  return isOpen(tables, proposal) && O.toNullable(moment ?? O.none) === O.toNullable(proposal.publishAt)
}

/** Closes an open proposal, and returns it if it was open. */
export const closeProposal = (tables: Tables, name: ProposalName, at: Instant): Proposal | undefined => {
  const found = tables.proposals.get(name.id)
  if (found === undefined || !isOpen(tables, name)) return undefined
  tables.proposals.set(name.id, { ...found, closedAt: at })
  return found.proposal
}

const isActorThere = ({ managers, userNumbers }: Tables, { kind, id }: Actor): boolean => {
  if (kind !== 'person') return true
  const [email] = [...userNumbers].find(([, number]) => String(number) === id) ?? []
  return email !== undefined && managers.get(email)?.disabled === false
}

const isBy = ({ userNumbers }: Tables, email: Email) => {
  const number = String(userNumbers.get(email))
  return ({ by }: Proposal): boolean => O.isSome(by) && by.value.kind === 'person' && by.value.id === number
}

const inOrder = (a: Proposal, b: Proposal): number => a.at - b.at || compareText(a.id, b.id)

/** Returns the proposals that name a person as their author, closed ones too (L2). */
export const proposalsOf = (tables: Tables, email: Email): ReadonlyArray<Proposal> =>
  [...tables.proposals.values()]
    .map(({ proposal }) => proposal)
    .filter(isBy(tables, email))
    .toSorted(inOrder)

/** Removes a person who was disabled or erased from the proposals that the person made (C16, L1). */
export const forgetProposer = (tables: Tables, email: Email): void => {
  const isOwn = isBy(tables, email)
  for (const [id, one] of tables.proposals)
    if (isOwn(one.proposal)) tables.proposals.set(id, { ...one, proposal: { ...one.proposal, by: O.none } })
}

const fieldsIn = ({ library, feed }: Tables, { contentType, itemId }: Omit<ProposalName, 'id'>) => {
  if (contentType === 'library') {
    const item = library.get(itemId)
    return item && { revision: item.revision, fields: libraryFields(item) }
  }
  const item = feed.get(itemId)
  return item && { revision: item.revision, fields: feedFields(item) }
}

const isSame = (a: ProposalName, b: ProposalName): boolean =>
  a.itemId === b.itemId && a.contentType === b.contentType

const subjectOf = ({ contentType, itemId }: Omit<ProposalName, 'id'>) => ({
  ...{ kind: contentType, id: itemId },
})

/** Proposals in memory (C16). */
export const memoryProposals = (tables: Tables): Proposals => ({
  all: (most) => TE.fromIO(() => openIn(tables).toSorted(inOrder).slice(0, most)),
  find: (contentType, itemId) => TE.fromIO(() => O.fromNullable(openFor(tables, contentType, itemId))),
  put:
    ({ proposal, replaces, act, changes, ...images }, receipt) =>
    async () =>
      withReceipt(tables, receipt, () => {
        const item = fieldsIn(tables, proposal)
        const open = openFor(tables, proposal.contentType, proposal.itemId)
        const refused = versionRefusal(proposal, replaces, open, item)
        if (refused !== undefined) return E.left(refused)
        const held = holdImages(tables, { ...images, item: { id: proposal.id, updatedAt: act.at } })
        if (E.isLeft(held)) return held
        if (open !== undefined) closeProposal(tables, open, act.at)
        const written = writtenProposal(proposal, act, open, isActorThere(tables, act.actor))
        tables.proposals.set(proposal.id, { proposal: written })
        recordAct(tables, act, subjectOf(proposal), changes)
        return E.right(written)
      }),
  discard: (name, act) => async () => {
    const closed = closeProposal(tables, name, act.at)
    if (closed === undefined) return E.left(PROPOSAL_NOT_FOUND)
    recordAct(tables, act, subjectOf(name), [proposalChange(name.id, null)])
    return E.right(closed)
  },
  putBack: (name, act, closedSince, receipt) => async () =>
    withReceipt(tables, receipt, (): E.Either<ProposalExists | ProposalNotFound, Proposal> => {
      const open = openFor(tables, name.contentType, name.itemId)
      if (open !== undefined) return E.left(proposalExists(open))
      const found = tables.proposals.get(name.id)
      const item = fieldsIn(tables, name)
      const closedAt = found?.closedAt
      const isClosed = closedAt !== undefined && closedAt >= closedSince && !isFarAhead(closedAt, act.at)
      if (item === undefined || found === undefined || !isClosed || !isSame(found.proposal, name))
        return E.left(PROPOSAL_NOT_FOUND)
      const again = reopened(found.proposal, item, act.at)
      tables.proposals.set(name.id, { proposal: again })
      recordAct(tables, act, subjectOf(name), [proposalChange(null, name.id)])
      return E.right(again)
    }),
  upcoming: (most) =>
    TE.fromIO(() =>
      openIn(tables)
        .flatMap((proposal) =>
          O.isSome(proposal.publishAt) ? [{ proposal, moment: proposal.publishAt.value }] : [],
        )
        .toSorted((a, b) => a.moment - b.moment || compareText(a.proposal.id, b.proposal.id))
        .slice(0, most)
        .map(({ proposal }) => proposal),
    ),
  fail: (name, missing, act) =>
    TE.fromIO(() => {
      const open = openFor(tables, name.contentType, name.itemId)
      if (open?.id !== name.id || O.isNone(open.publishAt)) return false
      const failure = O.some({ at: act.at, missing })
      tables.proposals.set(open.id, { proposal: { ...open, publishAt: O.none, failure } })
      recordAct(tables, act, subjectOf(name), failureChanges(open, missing))
      return true
    }),
  purge: (closedBy, now) =>
    TE.fromIO(() => {
      const old = [...tables.proposals].filter(
        ([, { closedAt }]) => closedAt !== undefined && (closedAt <= closedBy || isFarAhead(closedAt, now)),
      )
      const names = old.flatMap(([id]) => [...(tables.holds.get(id) ?? [])])
      for (const [id] of old) {
        tables.holds.delete(id)
        tables.proposals.delete(id)
      }
      return { proposals: old.length, orphans: forgetUnheld(tables, new Set(names)) }
    }),
})
