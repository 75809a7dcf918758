import type { FeedItem, LibraryItem } from '@almoner/domain'
import {
  ChangeProposal,
  ListProposals,
  OneProposal,
  type Proposal,
  ProposeChange,
  ProposeImage,
  type PublishedProposal,
  ShowProposal,
} from '@almoner/domain/content'
import * as t from 'io-ts'
import { json, type RouteResponse } from '../../responses/headers.ts'
import { call, edit, type Route, routeOf, type Services, upload, write } from '../../route.ts'
import { feedResponses, libraryResponses } from '../../routes/content.ts'
import { FeedItemJson, LibraryItemJson } from '../../serializers/content.ts'
import {
  encodeListedProposal,
  encodeProposal,
  encodeShownProposal,
  ListedProposalJson,
  ProposalJson,
  ShownProposalJson,
} from '../../serializers/proposals.ts'
import { LARGEST_COPY } from './managers.ts'

const route = routeOf('Proposals')

const OF_ITEM = '/proposals/:contentType(^library$|^feed$)/:itemId'
const ONE = `${OF_ITEM}/:proposalId`

const PROPOSING = { access: 'propose', response: { kind: 'one', codec: ProposalJson } } as const

/** Makes the response with a proposal. */
const proposal = ({ ports: { mediaAddresses } }: Services) => {
  const encode = encodeProposal(mediaAddresses)
  return (written: Proposal): RouteResponse => json(encode(written))
}

/** Makes the response with the item that a proposal has changed. */
const changed =
  (services: Services) =>
  ({ proposal: { contentType }, item }: PublishedProposal): RouteResponse =>
    contentType === 'library'
      ? libraryResponses(services).one(item as LibraryItem)
      : feedResponses(services).one(item as FeedItem)

/**
 * Rewrites of Live items that content managers share (C16). The path of a proposal has its version: an earlier one is 412. `If-Match` always names the
 * item.
 */
export const PROPOSAL_ROUTES: ReadonlyArray<Route> = [
  route({
    method: 'GET',
    path: '/proposals',
    name: 'listProposals',
    summary: 'List the proposals for Live items, the oldest first, 500 at most.',
    access: 'propose',
    parameters: ListProposals,
    response: { kind: 'collection', key: 'proposals', codec: ListedProposalJson, paged: false },
    handle: (services) =>
      call(services.proposals.list, (all) => json({ proposals: all.map(encodeListedProposal) })),
  }),
  route({
    method: 'GET',
    path: OF_ITEM,
    name: 'showProposal',
    summary: 'Show the proposal for an item, with the fields where it began.',
    access: 'propose',
    parameters: ShowProposal,
    response: { kind: 'one', codec: ShownProposalJson },
    faults: [404],
    handle: (services) =>
      call(services.proposals.show, (shown) =>
        json(encodeShownProposal(services.ports.mediaAddresses)(shown)),
      ),
  }),
  route({
    ...PROPOSING,
    method: 'POST',
    path: OF_ITEM,
    name: 'proposeChange',
    summary: 'Share a rewrite of a Live item with all content managers. Readers do not see it.',
    parameters: ProposeChange,
    bodyLimit: LARGEST_COPY,
    honoursIfMatch: true,
    faults: [404, 409, 412],
    handle: (services) => edit(services.proposals.propose, proposal(services)),
  }),
  route({
    ...PROPOSING,
    method: 'PUT',
    path: ONE,
    name: 'changeProposal',
    summary: 'Replace the text of a proposal, the moment when it is published by itself, or both.',
    parameters: ChangeProposal,
    bodyLimit: LARGEST_COPY,
    honoursIfMatch: true,
    faults: [404, 409, 412],
    handle: (services) => edit(services.proposals.change, proposal(services)),
  }),
  route({
    ...PROPOSING,
    method: 'DELETE',
    path: ONE,
    name: 'discardProposal',
    summary: 'Discard a proposal, which can be taken back for an hour.',
    parameters: OneProposal,
    faults: [404, 412],
    handle: (services) => call(services.proposals.discard, proposal(services)),
  }),
  route({
    ...PROPOSING,
    method: 'POST',
    path: `${ONE}/media/:image(^cover$|^notification$|^image$)`,
    name: 'proposeImage',
    summary: 'Store an image that a proposal shows, JPEG or PNG. The item keeps its image until then.',
    parameters: ProposeImage,
    upload: 'first',
    faults: [404, 409, 412, 413, 415],
    handle: (services) => upload(services.proposals.storeImage, proposal(services)),
  }),
  route({
    method: 'POST',
    path: `${ONE}/publish`,
    name: 'publishProposal',
    summary: 'Publish a proposal: its text and images become those of the item, in one revision.',
    access: 'updateLibraryItem',
    parameters: OneProposal,
    response: { kind: 'one', codec: t.union([LibraryItemJson, FeedItemJson]) },
    hasETag: true,
    honoursIfMatch: true,
    faults: [404, 409, 412],
    handle: (services) => edit(services.proposals.publish, changed(services)),
  }),
  route({
    ...PROPOSING,
    method: 'POST',
    path: `${ONE}/undo`,
    name: 'undoProposal',
    summary: 'Open a proposal again that was discarded or published within the last hour.',
    parameters: OneProposal,
    faults: [404, 409],
    handle: (services) => write(services.proposals.undo, proposal(services)),
  }),
]
