import { useAnswer } from '../../session/answers.ts'
import { api, consoleApi } from '../../session/api.ts'
import { type ContentType, NEXT_PAGE } from '../items.ts'

/** Returns the latest revisions of an item, newest first, and whether there are older ones (K2). */
export const listRevisions = async (
  contentType: ContentType,
  itemId: string,
  lim: number,
  signal: AbortSignal,
) => {
  const asked = { path: { itemId }, query: { lim }, signal }
  const { data, ...rest } =
    contentType === 'library'
      ? await api.get('/library/{itemId}/history', asked)
      : await api.get('/feed/{itemId}/history', asked)
  const revisions = data.history.map(({ revision }) => revision)
  return { ...rest, data: { revisions, hasMore: NEXT_PAGE.test(rest.headers.get('Link') ?? '') } }
}

/** One change of an item. */
export type Revision = Awaited<ReturnType<typeof listRevisions>>['data']['revisions'][number]

/** A changed field of a revision; `before` is null when the item was created. */
export type FieldChange = Revision['changes'][number]

/** Gives an item the values that it had after a revision, if it still has this ETag. Returns its new ETag. */
export const restoreRevision = async (
  contentType: ContentType,
  itemId: string,
  revision: number,
  ifMatch: string | undefined,
): Promise<string | undefined> => {
  const asked = { path: { itemId, number: revision }, body: {}, ifMatch }
  const { etag } =
    contentType === 'library'
      ? await api.post('/library/{itemId}/history/{number}/restore', asked)
      : await api.post('/feed/{itemId}/history/{number}/restore', asked)
  return etag
}

/** How a session names its client where posts have an author: `console:` and the number of its person. */
const CLIENT_OF_SESSION = /^console:(\d+)$/

/** Returns the names of the managers who have signed in, by number, as the history names them (K1). */
export const usePeople = (): ReadonlyMap<string, string> => {
  const { answer } = useAnswer('people', (signal) => consoleApi.get('/people', { signal }))
  return new Map(answer?.data.people.map(({ person }) => [String(person.number), person.name]))
}

/** Returns the number of the person behind a client's id; undefined for clients of the API. */
export const personOfClient = (clientId: string): string | undefined => CLIENT_OF_SESSION.exec(clientId)?.[1]
