import { type ItemCore, type Listing, type Place, placeText, type Unavailable } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { keepRendered } from '../item-cache/item-cache.ts'
import { asJson, firstOf, many } from '../responses/collection.ts'
import { tagOf } from '../responses/etag.ts'
import type { Answer } from '../responses/route-response.ts'

/** An address or `""`, as a JSON string (D3). */
export const RelatedLinkAnswer = t.string

/** How the items of a shelf are answered. */
export interface ItemAnswers<A extends ItemCore> {
  /** A single item with its ETag (C1, C10). */
  readonly one: (item: A) => Answer
  /** A collection of an item that has just been made, with its ETag. */
  readonly fresh: (item: A) => Answer
  /** A collection of items, as it comes. */
  readonly many: <K extends string | number>(listing: Listing<A, Place<K>>) => Answer
  /** A collection of at most one item, with that item's ETag (C4, C10). */
  readonly atMostOne: <P>(listing: Listing<A, P>) => TE.TaskEither<Unavailable, Answer>
}

export const itemAnswers = <A extends ItemCore>(encode: (item: A) => unknown): ItemAnswers<A> => {
  const rendered = keepRendered(asJson(encode))
  const text = (item: A): string => rendered(item).text
  const tagged = (item: A, open: string, close: string): Answer => {
    const written = text(item)
    return { kind: 'json', text: `${open}${written}${close}`, tag: tagOf(item, written) }
  }
  const alone = (item: A) => tagged(item, '{"items":[', ']}')
  return {
    one: (item) => tagged(item, '', ''),
    fresh: alone,
    many: (listing) =>
      many({ key: 'items', text, bytes: (item) => rendered(item).bytes, placeText })(listing),
    atMostOne: (listing) =>
      pipe(
        TE.fromTask(() => firstOf(listing)),
        TE.map((item) => (item === undefined ? { kind: 'json', text: '{"items":[]}' } : alone(item))),
      ),
  }
}
