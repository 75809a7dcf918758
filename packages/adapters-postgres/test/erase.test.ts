import type { ClientId } from '@almoner/domain'
import type { DeviceToken } from '@almoner/domain/people'
import {
  done,
  SAMPLE_MOMENT,
  sampleClient,
  sampleDevice,
  sampleEmail,
  sampleFeedItem,
  sampleNotification,
} from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import { sql } from 'kysely'
import t from 'tap'
import { areWaiting, dumpOf, holding } from './held-locks.ts'
import { freshStore, type Opened } from './store-of.ts'

// L1 on PostgreSQL.

const EMAIL = sampleEmail(1)
const TOKENS = ['fcm:first-of-1', 'fcm:second-of-1'] as ReadonlyArray<string> as ReadonlyArray<DeviceToken>

t.test('L1: after an erasure no row contains the address or a device token', async (t) => {
  const store = await freshStore()
  await done(store.clients.add({ ...sampleClient('app'), email: O.some(EMAIL) }, 'hash'))
  const author = { clientId: 'app' as ClientId, email: O.some(EMAIL) }
  await done(store.feedItems.add({ item: sampleFeedItem(1), linksToImages: [], author }))
  for (const token of TOKENS) await done(store.devices.attach(sampleDevice(1, { token })))
  await done(store.devices.attach(sampleDevice(2)))
  await done(store.notifications.add(sampleNotification(1)))
  await done(store.deliveries.start(SAMPLE_MOMENT, 1000))
  await done(store.users.prefer(EMAIL, { lang: 'fr' }))
  for (const text of [EMAIL, ...TOKENS]) t.match(await dumpOf(store), text)
  await done(store.personalData.erase(EMAIL, SAMPLE_MOMENT))
  const left = await dumpOf(store)
  for (const text of [EMAIL, ...TOKENS]) t.notMatch(left, text)
  t.match(left, sampleEmail(2))
  await store.close()
})

/** Rows of one address, of which the one that is locked last was stored first. */
const ROWS = {
  client: {
    id: 'id',
    ids: ['app-2', 'app-1'],
    fill: async ({ clients }: Opened) => {
      for (const id of ['app-2', 'app-1'])
        await done(clients.add({ ...sampleClient(id), email: O.some(EMAIL) }, id))
    },
  },
  feed_author: {
    id: 'item_id',
    ids: [sampleFeedItem(2).id, sampleFeedItem(1).id],
    fill: async ({ feedItems }: Opened) => {
      const author = { clientId: 'app' as ClientId, email: O.some(EMAIL) }
      for (const n of [2, 1])
        await done(feedItems.add({ item: sampleFeedItem(n), linksToImages: [], author }))
    },
  },
}

for (const [table, { id, ids, fill }] of Object.entries(ROWS))
  t.test(
    `searches and erasures lock the rows of ${table} in one order, so that none waits in a circle`,
    async (t) => {
      const tasks = {
        search: ({ personalData }: Opened) => personalData.search(EMAIL, 5)(),
        erase: ({ personalData }: Opened) => personalData.erase(EMAIL, SAMPLE_MOMENT)(),
      }
      for (const [name, run] of Object.entries(tasks)) {
        const store = await freshStore()
        await fill(store)
        const [later, first] = ids
        const release = await holding(store, `select from ${table} where ${id} = '${first}' for update`)
        const task = run(store)
        await areWaiting(store, 1)
        const free = await done(
          store.database.read((db) =>
            sql.raw(`select from ${table} where ${id} = '${later}' for update skip locked`).execute(db),
          ),
        )
        t.equal(free.rows.length, 1, `${name} waits for the first, and holds no other`)
        await release()
        await task
        await store.close()
      }
    },
  )

t.test('L1: erasures beside other writes of the same person leave whole states, and end', async (t) => {
  const store = await freshStore()
  const [one, other] = [sampleDevice(1), sampleDevice(1, { token: TOKENS[0] as DeviceToken })]
  for (let round = 0; round < 40; round += 1) {
    await done(store.devices.attach(one))
    await done(store.notifications.add(sampleNotification(round)))
    await Promise.all([
      store.personalData.erase(EMAIL, SAMPLE_MOMENT)(),
      store.devices.detach(EMAIL, one)(),
      store.devices.attach(other)(),
      store.users.prefer(EMAIL, { subscribed: round % 2 === 0 })(),
      store.deliveries.start(SAMPLE_MOMENT, 1000)(),
    ])
    await store.personalData.erase(EMAIL, SAMPLE_MOMENT)()
    const left = await dumpOf(store)
    for (const text of [EMAIL, one.token, other.token])
      if (left.includes(text)) t.fail(`${text} is left in round ${round}`)
  }
  const { rows } = await done(
    store.database.read((db) =>
      sql`select id from delivery where sending = 1 or delivered + failed + dead + skipped <> recipients`.execute(
        db,
      ),
    ),
  )
  t.strictSame(rows, [], 'each recipient is counted once')
  await store.close()
})
