import * as O from 'fp-ts/lib/Option.js'
import type { LibraryItem } from '../content/model.ts'
import { addressOf, type MediaAddresses } from '../media/model.ts'
import type { WebUrl } from '../values/addresses.ts'

/** What a notification takes from the library item it relates to. */
export interface NotificationLinks {
  /** The item's notification image. */
  readonly visualUrl: O.Option<WebUrl>
  /** The item's link. */
  readonly actionUrl: O.Option<WebUrl>
}

/** The links of a notification that is related to nothing, or to an item that is not Live (G1). */
export const NO_LINKS: NotificationLinks = { visualUrl: O.none, actionUrl: O.none }

/** The links that a related item gives as it is now: none unless it is Live (G1). */
export const linksFrom =
  (addresses: MediaAddresses) =>
  (item: LibraryItem): NotificationLinks =>
    item.status === 'Live'
      ? {
          visualUrl: O.map(addressOf(addresses))(item.images.notification),
          actionUrl: O.some(item.link),
        }
      : NO_LINKS
