import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { type Facets, isStorable, NOT_STORABLE, type Refined, refined } from './refined.ts'

/** White space and characters that are not shown: text made of nothing else is empty (B6). */
export const BLANK = /^[\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}]*$/u

/** Text without any of these is NFC already: nothing below U+0300 has another form, or combines. */
const COMPOSED = /[\u0300-\uffff]/

const nfcOf = (text: string): string => (COMPOSED.test(text) ? text.normalize('NFC') : text)

/** Text of 1 to `max` code points after NFC (B6). */
export const boundedText = <A extends string>(
  name: string,
  max: number,
  { description, example }: Pick<Facets, 'description' | 'example'>,
): Refined<A> =>
  refined(
    name,
    (sent) => {
      if (!isStorable(sent)) return E.left(NOT_STORABLE)
      const text = nfcOf(sent)
      if (BLANK.test(text)) return E.left('is required')
      // No text has more code points than code units.
      const isTooLong = text.length > max && [...text].length > max
      return isTooLong ? E.left(`must have at most ${max} characters`) : E.right(text as A)
    },
    {
      type: 'string',
      description,
      minLength: 1,
      maxLength: max,
      ...(example === undefined ? {} : { example }),
    },
  )

interface ItemTitleBrand {
  readonly ItemTitle: unique symbol
}
export type ItemTitle = t.Branded<string, ItemTitleBrand>
/** `itemTitle`: 1 to 100 code points after NFC (B6). */
export const ItemTitle = boundedText<ItemTitle>('ItemTitle', 100, {
  description: 'Title of the item.',
  example: 'Our year in figures',
})

interface ItemDescriptionBrand {
  readonly ItemDescription: unique symbol
}
export type ItemDescription = t.Branded<string, ItemDescriptionBrand>
/** `itemDescription`: 1 to 1000 code points after NFC (B6). */
export const ItemDescription = boundedText<ItemDescription>('ItemDescription', 1000, {
  description: 'Caption or comment.',
  example: 'What we did, and what it changed.',
})

interface LabelNameBrand {
  readonly LabelName: unique symbol
}
export type LabelName = t.Branded<string, LabelNameBrand>
/** A label's name in one language. */
export const LabelName = boundedText<LabelName>('LabelName', 200, {
  description: 'Name of the label in one language.',
})
