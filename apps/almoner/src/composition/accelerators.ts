import { type CacheOptions, type Extension, itemCache, responseCache } from '@almoner/adapters-http'
import { type Database, type Store, withOffsetIndexes } from '@almoner/adapters-kysely'
import type { Settings } from '../config/definitions.ts'

const MEBIBYTE = 1024 * 1024

/** Adds accelerators to a store, which change its speed but not its results. Each line can be left out. */
export const accelerated = (
  { accelerators }: Pick<Settings, 'accelerators'>,
  store: Store,
  database: Database,
  othersWrites: (() => unknown) | undefined,
): Store => {
  // A server notifies of writes up to two seconds late, and its work on an offset does not block this process.
  if (!accelerators || othersWrites === undefined) return store
  return withOffsetIndexes(store, { ...database, othersWrites })
}

/** Returns the caches of the HTTP server, which change no response. Each line can be left out. */
export const httpAccelerators = (
  { accelerators, cache }: Pick<Settings, 'accelerators' | 'cache'>,
  { version, accessVersion }: Pick<CacheOptions, 'version' | 'accessVersion'>,
): ReadonlyArray<Extension> =>
  accelerators ? [itemCache(), responseCache({ bytes: cache * MEBIBYTE, version, accessVersion })] : []
