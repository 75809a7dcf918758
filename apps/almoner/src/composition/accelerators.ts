import { type CacheOptions, type Extension, itemCache, responseCache } from '@almoner/adapters-http'
import { type Store, withOffsetIndexes } from '@almoner/adapters-kysely'
import type { Settings } from '../config/definitions.ts'
import type { OpenEngine } from './database.ts'

const MEBIBYTE = 1024 * 1024

/** Adds to a store what makes it faster and changes no answer. Each line can be left out. */
export const accelerated = (store: Store, { engine, othersWrites }: OpenEngine): Store => {
  // Of a server's writes we hear up to two seconds late, and passing over an offset there does not hold up this process.
  if (othersWrites === undefined) return store
  return withOffsetIndexes(store, { ...engine, othersWrites })
}

/** Returns the caches of the HTTP server, which change no response. Each line can be left out. */
export const httpAccelerators = (
  { cache }: Pick<Settings, 'cache'>,
  { version, accessVersion }: Pick<CacheOptions, 'version' | 'accessVersion'>,
): ReadonlyArray<Extension> => [
  itemCache(),
  responseCache({ bytes: cache * MEBIBYTE, version, accessVersion }),
]
