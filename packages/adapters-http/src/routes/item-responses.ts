import type { ResultSet } from '@almoner/domain'
import {
  type Cursor,
  encodeCursor,
  type Included,
  type ItemCore,
  type WithIncluded,
} from '@almoner/domain/content'
import type { ContentType } from '@almoner/domain/history'
import * as t from 'io-ts'
import { etagOf } from '../responses/headers.ts'
import { asJson, firstOf, many, type RouteResponse } from '../responses/route-response.ts'
import { encodeIncluded } from '../serializers/items.ts'
import type { RenderedItem, Services } from '../services.ts'

/** A URL or `""`, as a JSON string (D3). */
export const RelatedLinkJson = t.string

/** Renders items without a cache. */
export const renderItems =
  <A>(_contentType: ContentType, render: (item: A) => string) =>
  (item: A): RenderedItem => {
    const text = render(item)
    return { text, bytes: Buffer.from(`,${text}`) }
  }

/** Adds to the JSON of an item the members that `include` asked for: before the two braces that end it (J4). */
const withMembers = (text: string, included: Included | undefined): string => {
  if (included === undefined) return text
  const members = JSON.stringify(encodeIncluded(included)).slice(1, -1)
  return members === '' ? text : `${text.slice(0, -2)},${members}}}`
}

/** Makes the responses with items of one kind. Those of a single item have its ETag (C1, C4, C10). */
export const itemResponses = <A extends ItemCore>(
  services: Pick<Services, 'renderItems'>,
  contentType: ContentType,
  encode: (item: A) => unknown,
) => {
  const rendered = (services.renderItems ?? renderItems)(contentType, asJson(encode))
  const withETag = (item: A, open: string, close: string): RouteResponse => {
    const { text } = rendered(item)
    return { kind: 'json', text: `${open}${text}${close}`, etag: etagOf(item, text) }
  }
  const alone = (item: A) => withETag(item, '{"items":[', ']}')
  return {
    one: (item: A) => withETag(item, '', ''),
    alone,
    many: many<WithIncluded<A>, Cursor<string | number>>({
      key: 'items',
      text: (item) => withMembers(rendered(item).text, item.included),
      bytes: (item) =>
        item.included === undefined
          ? rendered(item).bytes
          : Buffer.from(`,${withMembers(rendered(item).text, item.included)}`),
      encodeCursor,
    }),
    atMostOne: async <P>(listing: ResultSet<A, P>): Promise<RouteResponse> => {
      const item = await firstOf(listing)
      return item === undefined ? { kind: 'json', text: '{"items":[]}' } : alone(item)
    },
  }
}
