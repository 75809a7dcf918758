import { makeStore } from '@almoner/adapters-kysely'
import { collect } from '@almoner/domain/values'
import { done, sampleId, sampleLibraryItem } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { openPostgres, parsePostgresUrl } from '../src/index.ts'
import type { PoolSize } from '../src/limits.ts'
import { freshlyMigrated } from './store-of.ts'

// I10: four connections in all are enough, for one process and for two that overlap.

const USERS = 300

/** A database that a role may work on with a number of connections. */
const madeFor = async (limit: number) => {
  const { cluster, name, url } = await freshlyMigrated()
  const role = `few_${name}`
  await cluster.ask(`create role ${role} login in role almoner connection limit ${limit}`)
  await cluster.ask(
    `insert into person select 'r' || n, 'en', 1 from generate_series(1, ${USERS}) as n`,
    name,
  )
  return url.replace('//almoner@', `//${role}@`)
}

const opened = async (url: string, size?: PoolSize) => {
  const place = parsePostgresUrl(url)
  if (E.isLeft(place)) throw new Error(place.left)
  const database = await done(openPostgres({ place: place.right, ...(size && { size }) }))
  // Listens, as every server does.
  database.version()
  return { database, ...makeStore(database) }
}

type Opened = Awaited<ReturnType<typeof opened>>

const work = async ({ libraryItems, users, statistics }: Opened, n: number): Promise<void> => {
  const item = sampleLibraryItem(n, { id: sampleId(n) })
  await done(libraryItems.add({ item, linksToImages: [] }))
  await done(libraryItems.find(item.id))
  if (n % 3 === 0) await collect({ batches: users.all(), next: O.none })
  if (n % 7 === 0) await done(statistics.desk())
}

/** Twenty at a time. */
const workMuch = (store: Opened, from: number) =>
  Promise.all(
    Array.from({ length: 20 }, async (_, lane) => {
      for (let n = 0; n < 3; n += 1) await work(store, from + lane * 3 + n)
    }),
  )

t.test('I10: twenty requests at a time are served by four connections in all', async (t) => {
  const store = await opened(await madeFor(4))
  await t.resolves(workMuch(store, 0))
  await store.database.close()
})

t.test('I10: streams that clients hold leave a connection for requests', async (t) => {
  for (const [limit, size] of [
    [4, undefined],
    [20, { requests: 1, streams: 1 }],
    [20, { requests: 1, streams: 3 }],
  ] as const) {
    const store = await opened(await madeFor(limit), size)
    const held = Array.from({ length: 6 }, () => store.users.all()[Symbol.asyncIterator]())
    const first = Promise.withResolvers<void>()
    const worked = Promise.withResolvers<void>()
    // Some begin, the others wait, perhaps for too long. They begin in any order.
    const streams = held.map(async (one) => {
      await one.next().catch(() => undefined)
      first.resolve()
      await worked.promise
      await one.return?.()
    })
    await first.promise
    await t.resolves(workMuch({ ...store, users: { ...store.users, all: async function* () {} } }, 0))
    worked.resolve()
    await Promise.all(streams)
    await store.database.close()
  }
})

t.test('I10: two processes that overlap share four connections', async (t) => {
  const url = await madeFor(4)
  const first = await opened(url)
  let isOver = false
  const before = (async () => {
    for (let n = 0; !isOver; n += 100) await workMuch(first, n)
  })()
  const second = await opened(url)
  await t.resolves(workMuch(second, 100_000))
  isOver = true
  await t.resolves(before)
  for (const { database } of [first, second]) await database.close()
})
