import type { Answer, ConsolePaths, FeedUpdate, LibraryUpdate } from '@almoner/client'
import { useAnswer } from '../session/answers.ts'
import { API, api, consoleApi } from '../session/api.ts'
import { useSession } from '../session/session.tsx'
import { FIELD_FACTS, fieldNames } from './editor/fields.ts'
import { type ContentType, type Item, type Label, NEXT_PAGE, type Row, rowOf, shownImage } from './items.ts'

/** The parameters of a list that the console uses (J1). */
export interface ListQuery {
  readonly lim: number
  readonly offset: number
  readonly q?: string
  readonly status?: Item['status']
  readonly lang?: string
  readonly labelId?: string
  readonly isDonorRestricted?: string
  readonly include?: string
}

/** What a page of a list has besides its entries: the number of all that match, and whether a page follows. */
interface PageFacts {
  readonly total: number
  readonly hasNext: boolean
}

/** A page of items. */
interface ItemPage extends PageFacts {
  readonly items: ReadonlyArray<Item>
}

/** A page of rows. */
export interface RowPage extends PageFacts {
  readonly rows: ReadonlyArray<Row>
}

const factsOf = (headers: Headers, count: number): PageFacts => ({
  total: Number(headers.get('X-Total-Count') ?? count),
  hasNext: NEXT_PAGE.test(headers.get('Link') ?? ''),
})

/** Returns one page of the list of items, newest first, with the number of all that match. */
export const listItems = async (
  contentType: ContentType,
  query: ListQuery,
  signal: AbortSignal,
): Promise<Answer<ItemPage>> => {
  const asked = { query: { ...query, count: 'true' } as const, signal }
  const { data, headers, etag } =
    contentType === 'library' ? await api.get('/library/', asked) : await api.get('/feed/', asked)
  const items = data.items.map(({ item }) => item)
  return { data: { items, ...factsOf(headers, items.length) }, headers, etag }
}

/** Publications that one question about older ones names at most. */
const MOST_ASKED = 100

/** Returns those of some publications that are older than their counterparts, with the words that changed there (J8). */
export const listOlder = async (itemIds: ReadonlyArray<string>, signal: AbortSignal) => {
  const found = []
  for (let at = 0; at < itemIds.length; at += MOST_ASKED) {
    const query = { itemIds: itemIds.slice(at, at + MOST_ASKED).join(',') }
    const { data } = await consoleApi.get('/older', { query, signal })
    found.push(...data.publications.map(({ publication }) => publication))
  }
  return found
}

/** The parameters of a list of publications that items alone do not have (J7). */
export interface RowQuery extends ListQuery {
  readonly order?: 'date' | 'title' | 'state'
  readonly translation?: 'missing' | 'older'
}

/** Returns one page of publications, both languages of each as one row. */
const listPublications = async (
  { include: _, ...query }: RowQuery,
  signal: AbortSignal,
): Promise<Answer<RowPage>> => {
  const asked = { query: { ...query, count: 'true' } as const, signal }
  const { data, headers, etag } = await consoleApi.get('/publications', asked)
  const rows = data.publications.flatMap(({ publication }) => {
    const [first, ...others] = publication.sides.map(({ item }) => item)
    return first === undefined ? [] : [rowOf(first, ...others)]
  })
  return { data: { rows, ...factsOf(headers, rows.length) }, headers, etag }
}

/** Returns one page of a list as rows: of the library, both languages of a publication are one. */
export const listRows = async (
  contentType: ContentType,
  query: RowQuery,
  signal: AbortSignal,
): Promise<Answer<RowPage>> => {
  if (contentType === 'library') return listPublications(query, signal)
  const { data, ...rest } = await listItems(contentType, query, signal)
  const { items, ...facts } = data
  return { ...rest, data: { rows: items.map((item) => rowOf(item)), ...facts } }
}

/** Rows of one request when all that match are read. */
const STEP = 100

/** Returns the rows that match, from the first on: this number at most, in steps. */
export const listAllRows = async (
  contentType: ContentType,
  query: RowQuery,
  most: number,
  signal: AbortSignal,
): Promise<ReadonlyArray<Row>> => {
  const found: Array<Row> = []
  for (let hasNext = true; hasNext && found.length < most; ) {
    const step = { ...query, lim: Math.min(STEP, most - found.length), offset: found.length }
    const { data } = await listRows(contentType, step, signal)
    found.push(...data.rows)
    hasNext = data.hasNext
  }
  return found
}

/** Returns the descriptions of an item's images by the names of their fields (D9), with the time of the item's version. */
const readAlts = async (contentType: ContentType, itemId: string, signal?: AbortSignal) => {
  const asked = { query: { itemId, include: 'images' }, ...(signal && { signal }) }
  const { data } =
    contentType === 'library' ? await api.get('/library/', asked) : await api.get('/feed/', asked)
  const item: Item | undefined = data.items[0]?.item
  const alts = fieldNames(contentType).flatMap((name) => {
    const alt = item && shownImage(item, FIELD_FACTS[name].describes ?? '')?.alt
    return alt === undefined ? [] : [[name, alt]]
  })
  return { updatedAt: item?.updatedAt, alts: Object.fromEntries(alts) as Readonly<Record<string, string>> }
}

/** Returns an item with its ETag and the descriptions of its images; undefined as `data` if there is no such item. */
export const readItem = async (
  contentType: ContentType,
  itemId: string,
  signal?: AbortSignal,
): Promise<Answer<Item | undefined>> => {
  const asked = { path: { itemId }, ...(signal && { signal }) }
  const one = () =>
    contentType === 'library' ? api.get('/library/{itemId}', asked) : api.get('/feed/{itemId}', asked)
  const [{ data, headers, etag }, described] = await Promise.all([
    one(),
    readAlts(contentType, itemId, signal),
  ])
  const item = data.items[0]?.item
  // A write between the two: read again, so that the tag belongs to both.
  if (item !== undefined && described.updatedAt !== item.updatedAt)
    return readItem(contentType, itemId, signal)
  return { data: item && { ...item, alts: described.alts }, headers, etag }
}

/** The body of a check. */
type Body<Path extends '/library/check' | '/feed/check'> =
  ConsolePaths[Path]['post']['requestBody']['content']['application/json']

/** Checks whether a new item could be Live with these images. Rejects with everything that it lacks. */
export const checkItem = async (
  contentType: ContentType,
  fields: object,
  images: ReadonlyArray<string>,
): Promise<void> => {
  const body = { ...fields, images: images.join(',') }
  await (contentType === 'feed'
    ? consoleApi.post('/feed/check', { body: body as Body<'/feed/check'> })
    : consoleApi.post('/library/check', { body: body as Body<'/library/check'> }))
}

/** Creates an item as a Draft. */
export const createItem = async (
  contentType: ContentType,
  body: object,
): Promise<Answer<Item | undefined>> => {
  if (contentType === 'feed') {
    const { data, ...rest } = await api.post('/feed/', { body: body as FeedUpdate })
    return { ...rest, data: data.item }
  }
  const { data, ...rest } = await api.post('/library/', {
    body: body as LibraryUpdate & { readonly itemPublicationDate: string },
  })
  return { ...rest, data: data.items[0]?.item }
}

/** Updates an item if it still has this ETag. A repeat with the same key gets the first answer again (I4). */
export const updateItem = async (
  contentType: ContentType,
  itemId: string,
  body: object,
  ifMatch: string | undefined,
  idempotencyKey?: string,
): Promise<Answer<Item>> => {
  const asked = { path: { itemId }, ifMatch, idempotencyKey }
  const { data, ...rest } =
    contentType === 'library'
      ? await api.post('/library/{itemId}', { ...asked, body: body as LibraryUpdate })
      : await api.post('/feed/{itemId}', { ...asked, body: body as FeedUpdate })
  return { ...rest, data: data.item }
}

/** Takes the person's latest change of an item back, if it made the revision of this tag (M12). */
export const undoChange = async (
  contentType: ContentType,
  itemId: string,
  ifMatch: string | undefined,
  idempotencyKey?: string,
): Promise<Answer<Item>> => {
  const asked = { path: { itemId }, body: {}, ifMatch, idempotencyKey }
  const { data, ...rest } =
    contentType === 'library'
      ? await consoleApi.post('/library/{itemId}/undo', asked)
      : await consoleApi.post('/feed/{itemId}/undo', asked)
  return { ...rest, data: data.item }
}

/** Deletes a draft that was never Live, if it still has this ETag. Returns the function that brings it back, within ten seconds (C18). */
export const deleteDraft = async (
  contentType: ContentType,
  itemId: string,
  ifMatch: string | undefined,
): Promise<() => Promise<Item>> => {
  const asked = { path: { itemId }, ifMatch }
  const deleted =
    contentType === 'library'
      ? await consoleApi.delete('/library/{itemId}', asked)
      : await consoleApi.delete('/feed/{itemId}', asked)
  const { deletionId } = deleted.data.deletion
  const undo = { path: { itemId, deletionId }, body: {} }
  return async () => {
    const back =
      contentType === 'library'
        ? await consoleApi.post('/library/{itemId}/deletion/{deletionId}/undo', undo)
        : await consoleApi.post('/feed/{itemId}/deletion/{deletionId}/undo', undo)
    return back.data.item
  }
}

/** Returns the dead links of Live items, as the last check of links found them. */
export const listDeadLinks = (signal: AbortSignal) => consoleApi.get('/dead-links', { signal })

/** Returns all labels, in the order of the server. */
export const listLabels = async (signal: AbortSignal): Promise<Answer<ReadonlyArray<Label>>> => {
  const { data, ...rest } = await api.get('/library/label', { signal })
  return { ...rest, data: data.map(({ label }) => label) }
}

/** Returns the name of a label in the language of the page; its identifier until it is known, or if it is gone. */
export const useLabelNames = (): ((labelId: string) => string) => {
  const { language } = useSession().session.manager
  const labels = useAnswer('labels', listLabels).answer?.data ?? []
  const names = new Map(labels.map((label) => [label.labelId, label[language]]))
  return (labelId) => names.get(labelId) ?? labelId
}

/** Returns the labels of an item. */
export const readLabels = async (
  contentType: ContentType,
  itemId: string,
  signal?: AbortSignal,
): Promise<ReadonlyArray<string>> => {
  const asked = { path: { itemId }, ...(signal && { signal }) }
  const { data } =
    contentType === 'library'
      ? await api.get('/library/{itemId}/label', asked)
      : await api.get('/feed/{itemId}/label', asked)
  return data.map(({ label }) => label.labelId)
}

/** Attaches a label to an item. */
export const attachLabel = async (
  contentType: ContentType,
  itemId: string,
  labelId: string,
): Promise<void> => {
  const asked = { path: { itemId }, body: { labelId } }
  await (contentType === 'library'
    ? api.post('/library/{itemId}/label', asked)
    : api.post('/feed/{itemId}/label', asked))
}

/** Detaches a label from an item. */
export const detachLabel = async (
  contentType: ContentType,
  itemId: string,
  labelId: string,
): Promise<void> => {
  const path = { itemId, labelId }
  await (contentType === 'library'
    ? api.delete('/library/{itemId}/label/{labelId}', { path })
    : api.delete('/feed/{itemId}/label/{labelId}', { path }))
}

/** Returns the URL of an image's route. */
export const imageRoute = (contentType: ContentType, itemId: string, slot: string): string =>
  contentType === 'library' ? `${API}/library/${itemId}/media/${slot}` : `${API}/feed/${itemId}/media`

/** Makes an item show an image that the server has stored for its working copy. */
export const placeImage = async (
  contentType: ContentType,
  itemId: string,
  slot: string,
  name: string,
): Promise<void> => {
  const body = { name }
  await (contentType === 'library'
    ? consoleApi.put('/library/{itemId}/media/{image}', {
        path: { itemId, image: slot as 'cover' | 'notification' },
        body,
      })
    : consoleApi.put('/feed/{itemId}/media', { path: { itemId }, body }))
}

/** Removes an image of an item. */
export const removeImage = async (
  contentType: ContentType,
  itemId: string,
  slot: string,
  ifMatch: string | undefined,
): Promise<void> => {
  await (contentType === 'library'
    ? api.delete('/library/{itemId}/media/{image}', {
        path: { itemId, image: slot as 'cover' | 'notification' },
        ifMatch,
      })
    : api.delete('/feed/{itemId}/media/', { path: { itemId }, ifMatch }))
}
