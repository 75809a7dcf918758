import type { Act } from '../../history/act.ts'
import { type FeedItem, relatedFeedImage } from '../../items/feed-item.ts'
import type { StoredImage } from '../../items/image.ts'
import type { MediaAddresses } from '../../items/media-addresses.ts'
import { mentionedBy, storedAmong } from '../../items/media-addresses.ts'
import type { ItemWrite } from '../../ports/item-store.ts'

/** An item as it is written: with every stored image that it shows or links to (D5). */
export const feedWrite = <I extends FeedItem>(
  addresses: MediaAddresses,
  item: I,
  act: Act,
  storesImages: ReadonlyArray<StoredImage> = [],
): ItemWrite<I> => ({
  item,
  storesImages,
  displaysImages: storedAmong([relatedFeedImage(item)]),
  act,
  linksToImages: mentionedBy(addresses, [item.content.link, item.content.vlink]),
})
