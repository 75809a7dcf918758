import type * as t from 'io-ts'
import { boundedText } from './refined.ts'

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
