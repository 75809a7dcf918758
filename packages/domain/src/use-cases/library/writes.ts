import * as O from 'fp-ts/lib/Option.js'
import type { Act } from '../../history/act.ts'
import type { StoredImage } from '../../items/image.ts'
import type { LibraryItem } from '../../items/library-item.ts'
import type { MediaAddresses } from '../../items/media-addresses.ts'
import { mentionedBy, storedAmong } from '../../items/media-addresses.ts'
import type { ItemWrite } from '../../ports/item-store.ts'

/** An item as it is written: with every stored image that it shows or links to (D5). */
export const libraryWrite = <I extends LibraryItem>(
  addresses: MediaAddresses,
  item: I,
  act: Act,
  storesImages: ReadonlyArray<StoredImage> = [],
): ItemWrite<I> => ({
  item,
  storesImages,
  displaysImages: storedAmong([item.images.cover, item.images.notification]),
  act,
  linksToImages: mentionedBy(addresses, [O.some(item.link)]),
})
