import { type Answer, ApiError } from '@almoner/client'
import { API, consoleApi } from '../../session/api.ts'
import { useMessages } from '../../session/session.tsx'
import type { Fields, Saved } from '../editor/fields.ts'
import { usePeople } from '../history/history-api.ts'
import { type ContentType, pathOf } from '../items.ts'
import { readItem } from '../items-api.ts'
import { type MergedProposal, mergeProposal } from './merge.ts'

/** Returns the path of the page of the proposal for an item. */
export const pathOfProposal = (contentType: ContentType, itemId: string): string =>
  `${pathOf(contentType, itemId)}/proposal`

/** The most proposals that the list has. */
const MOST = 500

/** Returns the open proposals, the oldest first. */
export const listProposals = async (signal?: AbortSignal) => {
  const { data, ...rest } = await consoleApi.get('/proposals', { ...(signal && { signal }) })
  return { ...rest, data: data.proposals.map(({ proposal }) => proposal) }
}

/** A line of the list of proposals. */
export type ListedProposal = Awaited<ReturnType<typeof listProposals>>['data'][number]

const readProposal = async (contentType: ContentType, itemId: string, signal?: AbortSignal) => {
  const asked = { path: { contentType, itemId }, ...(signal && { signal }) }
  return (await consoleApi.get('/proposals/{contentType}/{itemId}', asked)).data.proposal
}

/** A proposal with its text, and the text that it began from. */
export type Proposal = Awaited<ReturnType<typeof readProposal>>

/** A proposal beside the live version of its item. */
export interface ShownProposal extends MergedProposal {
  readonly proposal: Proposal
  readonly live: Saved
}

/** Returns the open proposal for an item with the live version; undefined as `data` if there is none. */
export const readShown = async (
  contentType: ContentType,
  itemId: string,
  signal?: AbortSignal,
): Promise<Answer<ShownProposal | undefined>> => {
  const { data: all, ...rest } = await listProposals(signal)
  // Asking for a proposal that is not there would be an error in the browser's console.
  if (all.length < MOST && !all.some((one) => one.itemId === itemId)) return { ...rest, data: undefined }
  try {
    const [proposal, { data: item, etag }] = await Promise.all([
      readProposal(contentType, itemId, signal),
      readItem(contentType, itemId, signal),
    ])
    return { ...rest, data: item && { proposal, live: { item, etag }, ...mergeProposal(proposal, item) } }
  } catch (error) {
    // A colleague has closed it between the two.
    if (error instanceof ApiError && error.status === 404) return { ...rest, data: undefined }
    throw error
  }
}

/** A proposal by its item and its version. */
export type ProposalName = Pick<Proposal, 'contentType' | 'itemId' | 'proposalId'>

/** Shares fields of a live item as a proposal, if the item still has this ETag. */
export const shareProposal = async (
  contentType: ContentType,
  itemId: string,
  fields: Fields,
  ifMatch: string | undefined,
): Promise<void> => {
  const asked = { path: { contentType, itemId }, body: { fields: JSON.stringify(fields) }, ifMatch }
  await consoleApi.post('/proposals/{contentType}/{itemId}', asked)
}

/**
 * Replaces the fields of a proposal, its moment in seconds, or both. With fields, the item of the ETag becomes its base. Returns the version that the
 * proposal has then.
 */
export const changeProposal = async (
  { contentType, itemId, proposalId }: ProposalName,
  { fields, publishAt }: { readonly fields?: Fields; readonly publishAt?: string },
  ifMatch?: string,
) => {
  const body = {
    ...(fields !== undefined && { fields: JSON.stringify(fields) }),
    ...(publishAt !== undefined && { publishAt }),
  }
  const asked = { path: { contentType, itemId, proposalId }, body, ifMatch }
  return (await consoleApi.put('/proposals/{contentType}/{itemId}/{proposalId}', asked)).data.proposal
}

/** Returns the URL to which an image of a proposal is sent. */
export const proposalImageRoute = (
  { contentType, itemId, proposalId }: ProposalName,
  place: string,
): string => `${API}/proposals/${contentType}/${itemId}/${proposalId}/media/${place}`

/** Publishes a version of a proposal, if the item still has this ETag. Returns the ETag that the item has then. */
export const publishProposal = async (
  { contentType, itemId, proposalId }: ProposalName,
  ifMatch: string | undefined,
): Promise<string | undefined> => {
  const asked = { path: { contentType, itemId, proposalId }, body: {}, ifMatch }
  return (await consoleApi.post('/proposals/{contentType}/{itemId}/{proposalId}/publish', asked)).etag
}

/** Discards a version of a proposal. */
export const discardProposal = async ({ contentType, itemId, proposalId }: ProposalName): Promise<void> => {
  await consoleApi.delete('/proposals/{contentType}/{itemId}/{proposalId}', {
    path: { contentType, itemId, proposalId },
  })
}

/** Opens a proposal again that was discarded or published (M12). */
export const reopenProposal = async ({ contentType, itemId, proposalId }: ProposalName): Promise<void> => {
  const asked = { path: { contentType, itemId, proposalId }, body: {} }
  await consoleApi.post('/proposals/{contentType}/{itemId}/{proposalId}/undo', asked)
}

/** Returns a function that names the author of a proposal, who may be gone. */
export const useAuthor = (): ((by: Proposal['by']) => string) => {
  const { history, proposals } = useMessages()
  const people = usePeople()
  return (by) => {
    if (by === null) return proposals.unknown
    return people.get(by.kind === 'person' ? by.id : '') ?? history.actors[by.kind](by.id)
  }
}
