import { type Database, makeStore } from '@almoner/adapters-kysely'
import type { NotificationId } from '@almoner/domain/values'
import { done, SAMPLE_MOMENT, sampleEmail, sampleMoment } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import { again, begin, claim, claimed, fill, type Opened, record } from './served.ts'

const PARTS = ['ledger', 'recipient_snapshot', 'batch', 'retry'] as const

/** How many rows each table has about a notification's devices. */
const rowsOf = (database: Database, id: NotificationId) =>
  done(
    database.read(async (db) => {
      const counts: Record<string, number> = {}
      for (const part of PARTS) {
        const { rows } = await sql<{ readonly count: number }>`
        select count(*) as count from ${sql.table(part)} as part
        join delivery on delivery.id = part.delivery_id where notification_id = ${id}`.execute(db)
        counts[part] = Number(rows[0]?.count)
      }
      return counts
    }),
  )

const serveAll = async (store: Opened) => {
  for (let batch = await claim(store, 500); batch; batch = await claim(store, 500)) await record(store, batch)
}

/** Sends two notifications to many devices, and deletes the rows of the first in steps. Returns the time of each step and the remaining rows. */
export const purgeOneOfTwo = async (store: Opened) => {
  await fill(store, 0, 4500)
  const first = await begin(store, 1)
  await done(store.users.prefer(sampleEmail(1), { lang: 'fr' }))
  await serveAll(store)
  const second = await begin(store, 2)
  const retried = await claimed(store, 10)
  await record(store, retried, { result: again(sampleMoment(60)) })
  await serveAll(store)
  const before = [await rowsOf(store.database, first), await rowsOf(store.database, second)]
  const steps: Array<number> = []
  do steps.push(await done(store.retention.purgeDeliveries(SAMPLE_MOMENT)))
  while (steps.at(-1) !== 0)
  const after = [await rowsOf(store.database, first), await rowsOf(store.database, second)]
  return { before, steps, after }
}

/** What {@link purgeOneOfTwo} must give. */
export const PURGED = {
  before: [
    { ledger: 4500, recipient_snapshot: 1, batch: 9, retry: 0 },
    { ledger: 4489, recipient_snapshot: 0, batch: 10, retry: 10 },
  ],
  // The pinned device and nine batches are rows as well, and the last step marks the delivery.
  steps: [2000, 2000, 500 + 9 + 1 + 1, 0],
  after: [
    { ledger: 0, recipient_snapshot: 0, batch: 0, retry: 0 },
    { ledger: 4489, recipient_snapshot: 0, batch: 10, retry: 10 },
  ],
}

/** Deletes the rows of a notification's devices, with one step that is rolled back. Returns whether that failed, and the remaining rows. */
export const purgeWithLostStep = async (store: Opened) => {
  await fill(store, 0, 4500)
  const id = await begin(store, 1)
  await serveAll(store)
  let writes = 0
  const { retention } = makeStore({
    ...store.database,
    write: (work, options) =>
      store.database.write(async (db) => {
        const result = await work(db)
        writes += 1
        return writes === 2 ? E.left('rolled back' as never) : result
      }, options),
  })
  const purge = retention.purgeDeliveries(SAMPLE_MOMENT)
  await done(purge)
  const hasFailed = E.isLeft(await purge())
  while ((await done(purge)) > 0);
  return { hasFailed, left: await rowsOf(store.database, id) }
}

/** What {@link purgeWithLostStep} must give. */
export const PURGED_ALL = {
  hasFailed: true,
  left: { ledger: 0, recipient_snapshot: 0, batch: 0, retry: 0 },
}

/** Deletes the row of one of two notifications by SQL while both are sent. Returns which batches were then claimed, and what was left. */
export const deleteBySql = async (store: Opened) => {
  await fill(store, 0, 10)
  const [gone, kept] = [await begin(store, 1), await begin(store, 2)]
  const held = await claimed(store, 5)
  await done(
    store.database.write(async (db) =>
      E.right(await sql`delete from notification where id = ${gone}`.execute(db)),
    ),
  )
  const served: Array<NotificationId> = []
  const now = sampleMoment(60)
  for (let batch = await claim(store, 5, now); batch; batch = await claim(store, 5, now)) {
    served.push(batch.claim.notificationId)
    await record(store, batch, { now })
  }
  while ((await done(store.notifications.purge())) > 0);
  const left = await done(
    store.database.read((db) => db.selectFrom('delivery').select('notification_id').execute()),
  )
  return {
    heldOfGone: held.claim.notificationId === gone,
    servedOfKept: served.every((id) => id === kept),
    count: served.length,
    backlog: await done(store.deliveries.backlog()),
    left: left.map(({ notification_id }) => notification_id === kept),
  }
}

/** What {@link deleteBySql} must give. */
export const DELETED = {
  heldOfGone: true,
  servedOfKept: true,
  count: 2,
  backlog: { sending: 0, claimed: 0, nextRetry: O.none },
  left: [true],
}
