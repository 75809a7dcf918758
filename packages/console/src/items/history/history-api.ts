import { callConsole } from '../../app/api.ts'
import { type ContentType, type Item, NEXT_PAGE } from '../items.ts'

/** A changed field of a revision; `before` is null when the item was created. */
export interface FieldChange {
  readonly field: string
  readonly before: string | null
  readonly after: string | null
}

/** One change of an item (K2). */
export interface Revision {
  readonly number: number
  readonly at: string
  readonly actor: { readonly kind: 'client' | 'person' | 'command'; readonly id: string }
  readonly action: string
  readonly changes: ReadonlyArray<FieldChange>
}

/** Returns the latest revisions of an item, newest first, and whether there are older ones. */
export const listRevisions = async (
  contentType: ContentType,
  itemId: string,
  lim: number,
  signal: AbortSignal,
) => {
  const { data, ...rest } = await callConsole<{
    readonly history: ReadonlyArray<{ readonly revision: Revision }>
  }>('GET', `/${contentType}/${itemId}/history?lim=${lim}`, { signal })
  const revisions = data.history.map(({ revision }) => revision)
  return { ...rest, data: { revisions, hasMore: NEXT_PAGE.test(rest.headers.get('Link') ?? '') } }
}

/** Gives an item the values that it had after a revision, if it still has this ETag. */
export const restoreRevision = (
  contentType: ContentType,
  itemId: string,
  number: number,
  ifMatch: string | undefined,
) =>
  callConsole<{ readonly item: Item }>('POST', `/${contentType}/${itemId}/history/${number}/restore`, {
    ...(ifMatch !== undefined && { headers: { 'If-Match': ifMatch } }),
  })
