import type { ItemCore, Listing, Place, Unavailable } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { type Answer, json, type Tagged } from '../answers/answer.ts'
import { itemCollection, peekOne } from '../answers/collection.ts'

/** An address or `""`, as a JSON string (D3). */
export const RelatedLinkAnswer = t.string

const tagOf = ({ id, revision }: ItemCore): Tagged => ({ id, revision })

/** A single item with its ETag (C1, C10). */
export const oneItem =
  <I extends ItemCore>(encode: (item: I) => unknown) =>
  (item: I): Answer =>
    json(encode(item), tagOf(item))

/** A collection of items, as it comes. */
export const manyItems =
  <A, K extends string | number>(encode: (item: A) => unknown) =>
  (listing: Listing<A, Place<K>>): Answer => ({
    kind: 'collection',
    collection: itemCollection(listing, encode),
  })

/** A collection of at most one item, with that item's ETag (C4, C10). */
export const atMostOneItem =
  <A extends ItemCore, K extends string | number>(encode: (item: A) => unknown) =>
  (listing: Listing<A, Place<K>>): TE.TaskEither<Unavailable, Answer> =>
    pipe(
      TE.fromTask(() => peekOne(listing)),
      TE.map((peeked) => ({
        kind: 'collection',
        collection: itemCollection(peeked.listing, encode),
        tag: peeked.tag,
      })),
    )
