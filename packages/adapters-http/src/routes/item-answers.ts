import { type ItemCore, type Listing, type Place, placeText, type Unavailable } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import type { Answer, Tagged } from '../answers/answer.ts'
import { firstOf, many } from '../answers/collection.ts'
import { tagOf } from '../answers/etag.ts'
import { ownBytes } from '../answers/own-bytes.ts'
import { remember } from '../answers/remember.ts'

/** An address or `""`, as a JSON string (D3). */
export const RelatedLinkAnswer = t.string

/** How the items of a shelf are answered. An item is written once for each of its versions that a store gives. */
export interface ItemAnswers<A extends ItemCore> {
  /** A single item with its ETag (C1, C10). */
  readonly one: (item: A) => Answer
  /** A collection of an item that has just been made, with its ETag: nobody comes back for the same version of it. */
  readonly fresh: (item: A) => Answer
  /** A collection of items, as it comes. */
  readonly many: <K extends string | number>(listing: Listing<A, Place<K>>) => Answer
  /** A collection of at most one item, with that item's ETag (C4, C10). */
  readonly atMostOne: <P>(listing: Listing<A, P>) => TE.TaskEither<Unavailable, Answer>
}

export const itemAnswers = <A extends ItemCore>(encode: (item: A) => unknown): ItemAnswers<A> => {
  const write = (item: A): string => JSON.stringify(encode(item))
  const alone = (text: string, tag: Tagged): Answer => ({ kind: 'json', text: `{"items":[${text}]}`, tag })
  const written = remember(write)
  const bytes = remember((item: A) => ownBytes(Buffer.from(`,${written(item)}`)))
  const tag = remember((item: A): Tagged => tagOf(item, written(item)))
  return {
    one: (item) => ({ kind: 'json', text: written(item), tag: tag(item) }),
    fresh: (item) => {
      const text = write(item)
      return alone(text, tagOf(item, text))
    },
    many: (listing) => many({ key: 'items', text: written, bytes, placeText })(listing),
    atMostOne: (listing) =>
      pipe(
        TE.fromTask(() => firstOf(listing)),
        TE.map((item) =>
          item === undefined ? { kind: 'json', text: '{"items":[]}' } : alone(written(item), tag(item)),
        ),
      ),
  }
}
