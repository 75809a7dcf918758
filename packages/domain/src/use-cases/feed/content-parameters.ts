import * as O from 'fp-ts/lib/Option.js'
import { DonorRestricted } from '../../items/donor-restricted.ts'
import type { SentContent } from '../../items/feed-edits.ts'
import { FeedKind } from '../../items/feed-item.ts'
import { WebUrl } from '../../values/addresses.ts'
import type { Condition } from '../../values/parameters.ts'
import { ItemDescription, ItemTitle, Language } from '../../values/text.ts'

/** What creating and updating a feed item have in common. */
export const CONTENT_REQUIRED = { itemType: FeedKind, itemTitle: ItemTitle, itemDescription: ItemDescription }

export const CONTENT_OPTIONAL = {
  isDonorRestricted: DonorRestricted,
  lang: Language,
  link: WebUrl,
  vlink: WebUrl,
}

const neededByItsType = (kind: 'link' | 'vlink'): Condition => ({
  field: kind,
  message: `is required when itemType is ${kind}`,
  unmet: ({ itemType, [kind]: url }) => itemType === kind && url === undefined,
})

/** `link` and `vlink` come with every post of their type, and with every update of it (C7). */
export const CONTENT_CONDITIONS: ReadonlyArray<Condition> = [
  neededByItsType('link'),
  neededByItsType('vlink'),
]

/** The content that decoded parameters describe; the conditions above have seen to the link that a type needs. */
export const sentContent = (sent: {
  readonly itemType: FeedKind
  readonly link?: WebUrl | undefined
  readonly vlink?: WebUrl | undefined
}): SentContent =>
  ({ kind: sent.itemType, link: O.fromNullable(sent.link), vlink: O.fromNullable(sent.vlink) }) as SentContent
