/**
 * The facade of the domain, and the names that most programs need. Each area has an entry point with the others: `@almoner/domain/values`,
 * `/media`, `/access`, `/history`, `/content`, `/portfolio`, `/changes`, `/people`, `/notifications`, `/delivery`, `/managers`, `/personal-data`,
 * `/operations`; `/ports` has the interfaces for adapters. The package does no I/O and reads no clock or random source.
 * @module @almoner/domain
 */

export type { Scope } from './access/caller.ts'
export { type Caller, callerOf, type InsufficientScope } from './access/caller.ts'
export { callerWith, type HostCaller, hostCaller } from './access/host.ts'
export type { Client } from './access/model.ts'
export { type Almoner, type AlmonerAreas, createAlmoner, DEFAULT_POLICY, type Policy } from './almoner.ts'
export { UpdateFeedItem, UpdateLibraryItem } from './content/edits.ts'
export { ListFeedItems, ListLibraryItems } from './content/lists.ts'
export type { FeedItem, LibraryItem } from './content/model.ts'
export { CreateFeedItem, CreateLibraryItem } from './content/writing.ts'
export { mediaAddressesBelow } from './media/model.ts'
export { CreateNotification } from './notifications/writing.ts'
export type { Ports } from './ports.ts'
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
