import { type ItemCore, type Listing, type Place, placeText, type Unavailable } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { type Answer, json } from '../answers/answer.ts'
import { firstOf, many } from '../answers/collection.ts'
import { tagOf } from '../answers/etag.ts'

/** An address or `""`, as a JSON string (D3). */
export const RelatedLinkAnswer = t.string

/** A single item with its ETag (C1, C10). */
export const oneItem =
  <I extends ItemCore>(encode: (item: I) => unknown) =>
  (item: I): Answer => {
    const written = encode(item)
    return json(written, tagOf(item, written))
  }

/** A collection of items, as it comes. */
export const manyItems = <A, K extends string | number>(
  encode: (item: A) => unknown,
): ((listing: Listing<A, Place<K>>) => Answer) => many({ key: 'items', encode, placeText })

/** A collection of at most one item, with that item's ETag (C4, C10). */
export const atMostOneItem =
  <A extends ItemCore, K extends string | number>(encode: (item: A) => unknown) =>
  (listing: Listing<A, Place<K>>): TE.TaskEither<Unavailable, Answer> =>
    pipe(
      TE.fromTask(() => firstOf(listing)),
      TE.map((item) => {
        if (item === undefined) return json({ items: [] })
        const written = encode(item)
        return json({ items: [written] }, tagOf(item, written))
      }),
    )
