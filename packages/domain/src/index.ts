/**
 * The facade of the domain, and the names that most programs need. Entry points by area have the others: `@almoner/domain/library`, `/feed`,
 * `/notifications`, `/portfolio`, `/history`, `/access`, `/desk`, `/operations`, `/ports` and `/values`. The package does no I/O and reads no clock or random source.
 * @module @almoner/domain
 */

export type { Scope } from './access/caller.ts'
export { type Caller, callerOf, callerWith, type InsufficientScope } from './access/caller.ts'
export type { Client } from './access/model.ts'
export { type Almoner, type AlmonerAreas, createAlmoner } from './almoner/create-almoner.ts'
export type { FeedItem } from './items/feed-item.ts'
export type { LibraryItem } from './items/library-item.ts'
export { mediaAddressesBelow } from './media/model.ts'
export type { Ports } from './ports/index.ts'
export { CreateFeedItem } from './use-cases/feed/create-feed-item.ts'
export { ListFeedItems } from './use-cases/feed/list-feed-items.ts'
export { UpdateFeedItem } from './use-cases/feed/update-feed-item.ts'
export { CreateLibraryItem } from './use-cases/library/create-library-item.ts'
export { ListLibraryItems } from './use-cases/library/list-library-items.ts'
export { UpdateLibraryItem } from './use-cases/library/update-library-item.ts'
export { CreateNotification } from './use-cases/notifications/create-notification.ts'
export { DEFAULT_POLICY, type Policy } from './use-cases/policy.ts'
export { Email } from './values/addresses.ts'
export { ClientId, ItemId } from './values/ids.ts'
export type { ResultSet } from './values/page.ts'
export { collect } from './values/page.ts'
export { decode, type FieldError, type ValidationFailed } from './values/parameters.ts'
export type { Unavailable } from './values/ports.ts'
export {
  orThrow,
  type Plain,
  type Promised,
  parseInput,
  plain,
  promised,
  type Result,
  toResult,
} from './values/results.ts'
export type { Instant } from './values/time.ts'
