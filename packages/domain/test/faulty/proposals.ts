import type { Proposal, ProposalId } from '@almoner/domain/content'
import type { LibraryItems } from '@almoner/domain/ports'
import { instant } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Faults, returning } from './faults.ts'

const authored = (proposal: Proposal): Proposal => ({
  ...{ ...proposal, by: O.some({ kind: 'person', id: '1' }) },
})

/** Faults of the adapter of proposals (C16). */
export const PROPOSAL_FAULTS: Faults<'proposals'> = {
  proposals: {
    'lets a second proposal take the place of the first': [
      'a proposal is found as it was written, and a second one',
      ({ put, find }) => ({
        put: (write, receipt) => async () => {
          const found = await find(write.proposal.contentType, write.proposal.itemId)()
          const open = E.isRight(found) ? O.toUndefined(found.right) : undefined
          return put({ ...write, ...(open && { replaces: open.id }) }, receipt)()
        },
      }),
    ],
    'finds the proposals of any item': [
      'a proposal is found as it was written, and a second one',
      ({ all }) => ({
        find: () => TE.map(([first]: ReadonlyArray<Proposal>) => O.fromNullable(first))(all(1)),
      }),
    ],
    'replaces whichever version is open': [
      'a version takes the place of the one that it names',
      ({ put, find }) => ({
        put: (write, receipt) => async () => {
          const found = await find(write.proposal.contentType, write.proposal.itemId)()
          const open = E.isRight(found) ? O.toUndefined(found.right) : undefined
          const isChange = open !== undefined && write.replaces !== undefined
          return put({ ...write, ...(isChange && { replaces: open.id }) }, receipt)()
        },
      }),
    ],
    'takes who changes a proposal for its author': [
      'a version takes the place of the one that it names',
      ({ put }) => ({
        put: (write, receipt) =>
          TE.map((proposal: Proposal) => ({ ...proposal, by: O.some(write.act.actor) }))(put(write, receipt)),
      }),
    ],
    'opens proposals for an earlier revision': [
      'a proposal begins from the present revision',
      ({ put }, { libraryItems, feedItems }) => ({
        put: (write, receipt) => async () => {
          const { contentType, itemId } = write.proposal
          const items = contentType === 'library' ? libraryItems : (feedItems as unknown as LibraryItems)
          const found = await items.find(itemId)()
          const item = E.isRight(found) ? O.toUndefined(found.right) : undefined
          const baseRevision = item?.revision ?? write.proposal.baseRevision
          return put({ ...write, proposal: { ...write.proposal, baseRevision } }, receipt)()
        },
      }),
    ],
    'finds proposals that were carried out': [
      'the write that carries a proposal out closes it',
      ({ put, find }) => {
        const known = new Map<string, Proposal>()
        return {
          put: returning(put, (proposal) => {
            known.set(proposal.itemId, proposal)
            return proposal
          }),
          find: (type, itemId) =>
            pipe(find(type, itemId), TE.map(O.alt(() => O.fromNullable(known.get(itemId))))),
        }
      },
    ],
    'puts proposals back at any time': [
      'a closed proposal is put back for a while',
      ({ putBack }) => ({
        putBack: (name, act, _since, receipt) => putBack(name, act, instant(0), receipt),
      }),
    ],
    'puts a proposal back that a clock which was ahead has closed': [
      'a closed proposal is put back for a while',
      ({ putBack }) => ({
        putBack: (name, act, since, receipt) =>
          putBack(name, { ...act, at: instant(act.at + 1000) }, since, receipt),
      }),
    ],
    'puts proposals back with a moment that has come': [
      'a closed proposal is put back for a while',
      ({ putBack }) => ({
        putBack: returning(putBack, (proposal, _name, { at }) => ({ ...proposal, publishAt: O.some(at) })),
      }),
    ],
    'lists moments in any order': [
      'moments come in the order of time',
      ({ upcoming }) => ({
        upcoming: returning(upcoming, (found) => [...found].reverse()),
      }),
    ],
    'leaves a failed proposal its moment': [
      'moments come in the order of time',
      () => ({ fail: () => TE.right(true) }),
    ],
    'forgets proposals that are open': [
      'its images stay known until it is forgotten',
      ({ purge, discard, all }) => ({
        purge: (closedBy, now) => async () => {
          const open = await all(9)()
          const act = {
            actor: { kind: 'client', id: 'app' },
            action: 'discard-proposal',
            at: closedBy,
          } as const
          for (const one of E.isRight(open) ? open.right : []) await discard(one, act)()
          return purge(closedBy, now)()
        },
      }),
    ],
    'keeps proposals that a clock which was ahead has closed': [
      'its images stay known until it is forgotten',
      ({ purge }) => ({ purge: (closedBy) => purge(closedBy, instant(Number.MAX_SAFE_INTEGER)) }),
    ],
    'names no image of forgotten proposals': [
      'its images stay known until it is forgotten',
      ({ purge }) => ({ purge: returning(purge, (gone) => ({ ...gone, orphans: [] })) }),
    ],
    'shows images that it does not know': [
      'its images stay known until it is forgotten',
      ({ put }) => ({
        put: (write, receipt) => put({ ...write, displaysImages: [] }, receipt),
      }),
    ],
    'keeps the name of an author who is disabled': [
      'the name of an author who is disabled goes',
      ({ find }) => ({ find: returning(find, O.map(authored)) }),
    ],
    'keeps the name of an author who is erased': [
      'the name of an author who is erased goes',
      ({ find }) => ({ find: returning(find, O.map(authored)) }),
    ],
    'takes one who is gone for an author': [
      'the name of an author who is erased goes',
      ({ put }) => ({
        put: (write, receipt) =>
          TE.map((proposal: Proposal) => ({ ...proposal, by: O.some(write.act.actor) }))(put(write, receipt)),
      }),
    ],
    'discards the open version in place of another': [
      'a version takes the place of the one that it names',
      ({ discard, find }) => ({
        discard: (name, act) => async () => {
          const found = await find(name.contentType, name.itemId)()
          const id = E.isRight(found) && O.isSome(found.right) ? found.right.value.id : ('none' as ProposalId)
          return discard({ ...name, id }, act)()
        },
      }),
    ],
  },
}
