import type { ContentType } from '@almoner/domain/history'
import { type ConsoleFixture, OWN_PAGE, signIn } from './console.ts'
import { IMAGES, SENT } from './items.ts'
import { newFeedItem, newLibraryItem } from './samples.ts'
import { fileForm, JPEG } from './uploads.ts'

/** The parameters of a Live item. */
export const WHOLE = { library: { ...SENT.library, ...IMAGES }, feed: SENT.feed }

/** A proposal as responses have it. */
export interface SeenProposal {
  readonly proposalId: string
  readonly base: Readonly<Record<string, string>>
  readonly state: Readonly<Record<string, string>>
  readonly publishAt: string
}

/** Makes a Live item, and returns the requests of an editor about proposals for it. */
export const liveItem = async (fixture: ConsoleFixture, contentType: ContentType = 'library') => {
  const headers = { cookie: await signIn(fixture, 'editor'), ...OWN_PAGE }
  const itemId = await (contentType === 'library' ? newLibraryItem : newFeedItem)(fixture)
  const path = `/${contentType}/${itemId}`
  const update = async (json: object = {}) => {
    const body = { ...WHOLE[contentType], status: 'Live', ...json }
    return (await fixture.call('POST', path, { as: 'manager', json: body })).headers.get('etag') ?? ''
  }
  const etag = await update()
  const proposals = `/console/api/proposals/${contentType}/${itemId}`
  const send = (method: string, rest: string, json?: object, more: Readonly<Record<string, string>> = {}) =>
    fixture.call(method, `${proposals}${rest}`, {
      ...(json && { json }),
      headers: { ...headers, ...more },
    })
  const fieldsOf = (fields: object) => JSON.stringify({ ...WHOLE[contentType], ...fields })
  const proposed = async (response: Response): Promise<SeenProposal> =>
    ((await response.json()) as { proposal: SeenProposal }).proposal
  return {
    ...{ headers, itemId, path, etag, update, send, proposed },
    share: (fields: object = { itemTitle: 'Rewritten' }, more: object = {}, ifMatch = etag) =>
      send('POST', '', { fields: fieldsOf(fields), ...more }, { 'if-match': ifMatch }),
    change: (id: string, { fields, ...more }: { fields?: object; publishAt?: string }, ifMatch = etag) =>
      send(
        'PUT',
        `/${id}`,
        { ...more, ...(fields && { fields: fieldsOf(fields) }) },
        { 'if-match': ifMatch },
      ),
    illustrate: (id: string, image: string, bytes = JPEG) =>
      fixture.call('POST', `${proposals}/${id}/media/${image}`, {
        ...{ multipart: fileForm({ bytes, name: 'a.jpg' }), headers },
      }),
    publish: (id: string, ifMatch = etag, more: Readonly<Record<string, string>> = {}) =>
      send('POST', `/${id}/publish`, {}, { 'if-match': ifMatch, ...more }),
    discard: (id: string) => send('DELETE', `/${id}`),
    undo: (id: string) => send('POST', `/${id}/undo`, {}),
    show: () => send('GET', ''),
    list: async () => {
      const response = await fixture.call('GET', '/console/api/proposals', { headers })
      return ((await response.json()) as { proposals: ReadonlyArray<{ proposal: object }> }).proposals
    },
    item: async (as: 'user' | 'manager' = 'user') => {
      const { items } = (await (await fixture.call('GET', path, { as })).json()) as {
        items: ReadonlyArray<{ item: Readonly<Record<string, string>> }>
      }
      return items[0]?.item ?? {}
    },
  }
}
