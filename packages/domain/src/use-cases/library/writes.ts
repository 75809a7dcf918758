import * as O from 'fp-ts/lib/Option.js'
import type { StoredImage } from '../../items/image.ts'
import type { LibraryItem } from '../../items/library-item.ts'
import type { MediaAddresses } from '../../items/media-addresses.ts'
import { mentionedBy, storedAmong } from '../../items/media-addresses.ts'
import type { ItemWrite } from '../../ports/item-store.ts'

/** An item as it is written: with every stored image that it shows or links to (D5). */
export const libraryWrite = <I extends LibraryItem>(
  addresses: MediaAddresses,
  item: I,
  adds: ReadonlyArray<StoredImage> = [],
): ItemWrite<I> => ({
  item,
  adds,
  shows: storedAmong([item.images.cover, item.images.notification]),
  mentions: mentionedBy(addresses, [O.some(item.link)]),
})
