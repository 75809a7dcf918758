import { type ItemCore, type Listing, type Place, placeText, type Shelf } from '@almoner/domain'
import * as t from 'io-ts'
import { etagOf } from '../responses/etag.ts'
import type { RouteResponse } from '../responses/route-response.ts'
import { asJson, firstOf, many } from '../responses/route-response.ts'
import type { RenderedItem, Services } from '../services.ts'

/** A URL or `""`, as a JSON string (D3). */
export const RelatedLinkJson = t.string

/** The responses with items of one kind. */
export interface ItemResponses<A extends ItemCore> {
  /** A single item with its ETag (C1, C10). */
  readonly one: (item: A) => RouteResponse
  /** A collection of a new item, with its ETag. */
  readonly alone: (item: A) => RouteResponse
  readonly many: <K extends string | number>(listing: Listing<A, Place<K>>) => RouteResponse
  /** A collection of at most one item, with that item's ETag (C4, C10). */
  readonly atMostOne: <P>(listing: Listing<A, P>) => Promise<RouteResponse>
}

/** Renders items without a cache. */
export const renderItems =
  <A>(_shelf: Shelf, render: (item: A) => string) =>
  (item: A): RenderedItem => {
    const text = render(item)
    return { text, bytes: Buffer.from(`,${text}`) }
  }

export const itemResponses = <A extends ItemCore>(
  services: Pick<Services, 'renderItems'>,
  shelf: Shelf,
  encode: (item: A) => unknown,
): ItemResponses<A> => {
  const rendered = (services.renderItems ?? renderItems)(shelf, asJson(encode))
  const withETag = (item: A, open: string, close: string): RouteResponse => {
    const { text } = rendered(item)
    return { kind: 'json', text: `${open}${text}${close}`, etag: etagOf(item, text) }
  }
  const alone = (item: A) => withETag(item, '{"items":[', ']}')
  return {
    one: (item) => withETag(item, '', ''),
    alone,
    many: many({
      key: 'items',
      text: (item) => rendered(item).text,
      bytes: (item) => rendered(item).bytes,
      placeText,
    }),
    atMostOne: async (listing) => {
      const item = await firstOf(listing)
      return item === undefined ? { kind: 'json', text: '{"items":[]}' } : alone(item)
    },
  }
}
