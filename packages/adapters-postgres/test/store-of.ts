import { MIGRATIONS, makeMigrator, makeStore } from '@almoner/adapters-kysely'
import type { Clock } from '@almoner/domain/ports'
import { instant } from '@almoner/domain/values'
import { freshDatabase, startPooler } from '@almoner/postgres-server'
import { done } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import { sql } from 'kysely'
import t from 'tap'
import { openPostgres, parsePostgresUrl } from '../src/index.ts'
import type { PoolSize } from '../src/limits.ts'
import type { Variables } from '../src/url.ts'

export const clock: Clock = { now: () => instant(1_700_000_000_000) }

/** Reads a URL that has no fault. */
export const placeOf = (url: string, variables?: Variables) => {
  const place = parsePostgresUrl(url, variables)
  if (E.isLeft(place)) throw new Error(place.left)
  return place.right
}

/** Opens a database with any schema. */
export const engineOn = async (url: string, variables?: Variables, size?: PoolSize, schema?: string) => {
  const place = placeOf(url, variables)
  return done(openPostgres({ place, ...(size && { size }), ...(schema && { schema }) }))
}

/** The repositories on a database whose schema is current, the database, and how to close it. */
export const storeOn = async (url: string, size?: PoolSize, schema?: string) => {
  const database = await engineOn(url, {}, size, schema)
  return { ...makeStore(database), database, url, close: database.close }
}

export type Opened = Awaited<ReturnType<typeof storeOn>>

/** Brings a database up to date. */
export const migrate = async (url: string): Promise<void> => {
  const database = await engineOn(url)
  await done(makeMigrator(database, clock, MIGRATIONS).migrate())
  await database.close()
}

/** A new database whose schema is current. */
export const freshlyMigrated = () => freshDatabase(migrate)

/** The repositories on a new database behind a pooler of transactions, which gives its sessions in turn. */
export const storeBehindPooler = async (): Promise<Opened> => {
  const { cluster, name, url } = await freshlyMigrated()
  const pooler = await startPooler(cluster, { mode: 'transaction', size: 12, order: 'turn' })
  const [through, direct] = [placeOf(pooler.url(name)), placeOf(url)]
  const database = await done(openPostgres({ place: through, listen: direct }))
  const close = async () => {
    await database.close()
    await pooler.close()
  }
  return { ...makeStore(database), database, url, close }
}

const WIPE = sql`select initial.wipe()`

/** Gives stores, each on a database as `make` left it. Closed, a store serves the next test, so that its connections are warm. */
export const reusableStores = (makeOne: () => Promise<Opened>): (() => Promise<Opened>) => {
  const free: Array<Opened> = []
  let made = 0

  const make = (): Promise<Opened> => {
    if (made === 0)
      t.teardown(async () => {
        for (const store of free.splice(0)) await store.close()
      })
    made += 1
    return makeOne()
  }

  return async () => {
    const store = free.pop() ?? (await make())
    const close = async () => {
      await done(store.database.write(async (db) => E.right(await WIPE.execute(db))))
      free.push(store)
    }
    // What a store remembers of its database is wiped as well.
    return { ...store, ...makeStore(store.database), close }
  }
}

/** Gives stores, each on a database as if it were new, or as `fill` left it. */
export const filledStores = (fill?: (store: Opened) => Promise<void>): (() => Promise<Opened>) =>
  reusableStores(async () => {
    const database = await freshlyMigrated()
    const store = await storeOn(database.url)
    if (fill !== undefined) {
      await fill(store)
      await database.keep()
    }
    return store
  })

/** The repositories on a database as if it were new. */
export const freshStore = filledStores()
