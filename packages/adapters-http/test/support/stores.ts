import { join } from 'node:path'
import { filledStores as filledDatabases } from '@almoner/adapters-postgres/testing'
import { filledStores as filledFiles } from '@almoner/adapters-sqlite/testing'
import type { Ports } from '@almoner/domain'
import { type MemoryStore, memoryStore } from '@almoner/testkit/memory'
import type { CacheOptions } from '../../src/index.ts'

export type StoreName = 'memory' | 'sqlite' | 'postgres'

const ALL_STORES: ReadonlyArray<StoreName> = ['memory', 'sqlite', 'postgres']
const NAMED = (process.env['TEST_STORES'] ?? 'sqlite').split(',')

/**
 * The stores that HTTP tests run on: SQLite, or the ones in TEST_STORES. Contracts prove that the others behave alike, as `pnpm test:stores`
 * shows.
 */
export const STORES: ReadonlyArray<StoreName> = ALL_STORES.filter((name) => NAMED.includes(name))
if (STORES.length !== NAMED.length) throw new RangeError(`TEST_STORES takes a list of ${ALL_STORES}`)

/** A store of a test's own, and how to close it. */
export interface OpenStore {
  readonly store: MemoryStore
  /** The database's; memory has none. */
  readonly versions: Pick<CacheOptions, 'version'> | undefined
  /** Its database, where that is PostgreSQL. */
  readonly url?: string
  readonly close: () => Promise<void>
}

/** Puts into an empty store what a test finds there. */
export type Fill = (store: Pick<Ports, 'clients' | 'labels'>) => Promise<void>

/**
 * Gives stores as `fill` leaves them.
 * @param folder where a file is made, unless it is there already
 */
export const storesFilledBy = (fill: Fill): ((name: StoreName, folder: string) => Promise<OpenStore>) => {
  const onFile = filledFiles(fill)
  const onDatabase = filledDatabases(fill)
  const open = {
    memory: async () => {
      const store = memoryStore()
      await fill(store)
      return { store, versions: undefined, close: async () => {} }
    },
    sqlite: async (folder: string) => {
      const { database, close, ...store } = await onFile(join(folder, 'almoner.db'))
      return { store, versions: database, close }
    },
    postgres: async () => {
      const { database, close, url, ...store } = await onDatabase()
      return { store, versions: database, url, close }
    },
  }
  return (name, folder) => open[name](folder)
}
