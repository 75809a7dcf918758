import type { DeviceCount, ItemCount, Shelf, Statistics } from '@almoner/domain'
import type { Database, Db } from '../../database/database.ts'
import { outcomesByDay } from './outcomes.ts'

const SHELVES = { library: 'library_item', feed: 'feed_item' } as const

const itemsOn = async (db: Db, shelf: Shelf): Promise<ReadonlyArray<ItemCount>> => {
  const rows = await db
    .selectFrom(SHELVES[shelf])
    .select(['status', 'lang'])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .groupBy(['status', 'lang'])
    .execute()
  return rows.map((row) => ({ shelf, ...row }))
}

const devices = (db: Db): Promise<ReadonlyArray<DeviceCount>> =>
  db
    .selectFrom('device')
    .select('kind')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .groupBy('kind')
    .execute()

/**
 * Counts the tables on a separate connection. It scans items and devices, which takes seconds with millions of them: an index would not pay for
 * rare queries.
 */
export const makeStatistics = (database: Database): Statistics => ({
  survey: (days) =>
    database.readSnapshot(
      async (db) => ({
        items: [...(await itemsOn(db, 'library')), ...(await itemsOn(db, 'feed'))],
        devices: await devices(db),
        deliveries: await outcomesByDay(db, days),
      }),
      { timeout: 'none' },
    ),
})
