import type { Branded } from './brand.ts'
import { boundedText } from './refined.ts'

export type ItemTitle = Branded<string, 'ItemTitle'>
/** `itemTitle`: 1 to 100 code points after NFC (B6). */
export const ItemTitle = boundedText<ItemTitle>('ItemTitle', 100, {
  description: 'Title of the item.',
  example: 'Our year in figures',
})

export type ItemDescription = Branded<string, 'ItemDescription'>
/** `itemDescription`: 1 to 1000 code points after NFC (B6). */
export const ItemDescription = boundedText<ItemDescription>('ItemDescription', 1000, {
  description: 'Caption or comment.',
  example: 'What we did, and what it changed.',
})

export type LabelName = Branded<string, 'LabelName'>
/** A label's name in one language. */
export const LabelName = boundedText<LabelName>('LabelName', 200, {
  description: 'Name of the label in one language.',
})
