import { randomUUID } from 'node:crypto'
import type { Database } from '../../packages/adapters-kysely/src/index.ts'
import { makeStore } from '../../packages/adapters-kysely/src/index.ts'
import { openPostgres, parsePostgresUrl } from '../../packages/adapters-postgres/src/index.ts'
import { done, sampleFeedItem } from '../../packages/testkit/src/contracts/index.ts'

/** A request to create posts by some writers at a time, with signals or without. */
export interface WriteRequest {
  readonly writers: number
  readonly milliseconds: number
  readonly signals: boolean
}

const place = parsePostgresUrl(process.argv[2] ?? '')
if (place._tag === 'Left') throw new Error(place.left)
const database = await done(openPostgres({ place: place.right }))
// Listens, as a server does.
database.version()

const quiet: Database = {
  ...database,
  write: (work, options) => database.write(work, { ...options, notify: 'none' }),
}
const stores = { on: makeStore(database), off: makeStore(quiet) }
const act = { actor: { kind: 'client', id: 'campaign' }, action: 'create' } as const

/** Creates posts for some time, and sends their number. */
process.on('message', async ({ writers, milliseconds, signals }: WriteRequest) => {
  const { feedItems } = signals ? stores.on : stores.off
  const until = performance.now() + milliseconds
  let created = 0
  const write = async () => {
    for (; performance.now() < until; created += 1)
      await done(
        feedItems.add({
          item: sampleFeedItem(created, { id: randomUUID() as never }),
          linksToImages: [],
          act,
        }),
      )
  }
  await Promise.all(Array.from({ length: writers }, write))
  process.send?.(created)
})
process.once('disconnect', () => void database.close())
