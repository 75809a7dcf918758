import { done, sampleDevice, sampleMoment } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import { seeManagersMerged, seeUsersMerged, storedUsers } from './fixtures/address-forms.ts'
import { putItems, seeIdsComposed, storedIds } from './fixtures/composed-ids.ts'
import { putTexts, type StoredText, seeTextsMerged, storedTexts } from './fixtures/device-spellings.ts'
import { adopt } from './fixtures/unreleased.ts'
import { wipe } from './sending/looks.ts'
import { storeOf } from './store-of.ts'

// What adoption makes of the rows of an unreleased state (ADR 53). Databases of both states: apps/almoner/test/archive/adoption.test.ts.

t.test(
  'F4: adoption makes all texts of one destination one device; the latest attachment wins',
  async (t) => {
    const { database, close } = await storeOf(`${t.testdir()}/almoner.db`)
    await t.resolves(
      fc.assert(
        fc.asyncProperty(storedTexts, async (texts) => {
          await wipe(database)
          await putTexts(database, texts)
          await adopt(database)
          await seeTextsMerged(database, texts)
          await adopt(database)
          await seeTextsMerged(database, texts)
        }),
        { numRuns: 100 },
      ),
    )
    await close()
  },
)

t.test('F4: texts of one device are found in tables of any size', async (t) => {
  const { database, close } = await storeOf(`${t.testdir()}/almoner.db`)
  const count = 1700
  const texts = Array.from({ length: count }, (_, n): StoredText => {
    const destination = String(n % 700)
    const token = `${['', 'apns:', 'apns:00'][Math.floor(n / 700)]}${destination.padStart(64, '0')}`
    return {
      kind: 'apns',
      destination: n < 1400 ? destination : token,
      token,
      owner: n % 3,
      at: (n * 7) % 11,
      isDead: false,
    }
  })
  await putTexts(database, texts)
  await adopt(database)
  await seeTextsMerged(database, texts)
  await close()
})

t.test('F4, G4: a merged device stays a recipient of what is being sent, and is skipped', async (t) => {
  const store = await storeOf(`${t.testdir()}/almoner.db`)
  const hex = 'a1'.repeat(32)
  const text = { kind: 'apns', destination: '', isDead: false } as const
  await putTexts(store.database, [
    { ...text, token: hex, owner: 0, at: 1 },
    { ...text, token: hex.toUpperCase(), owner: 1, at: 2 },
  ])
  await done(
    store.database.write(async (db) => {
      const delivery = {
        ...{
          notification_id: 'n',
          sending: 1,
          lang: 'en',
          epoch: 1,
          started_at: 0,
          ends_at: 9,
          recipients: 2,
        },
        ...{ delivered: 0, failed: 0, dead: 0, skipped: 0, last_device: 2, claimed_upto: 0, next_batch: 0 },
        ...{ last_turn: 0, has_rows: 1 },
      }
      await db
        .insertInto('delivery')
        .values(delivery as never)
        .execute()
      return E.right(undefined)
    }),
  )
  await adopt(store.database)
  const pins = await done(
    store.database.read((db) => db.selectFrom('recipient_snapshot').select('email').execute()),
  )
  t.strictSame(pins, [{ email: 'reader-0@example.org' }])
  const moved = sampleDevice(1, { token: `apns:${hex}` as never, kind: 'apns', attachedAt: sampleMoment(1) })
  await done(store.devices.attach(moved))
  const left = await done(store.database.read((db) => db.selectFrom('device').select('token').execute()))
  t.strictSame(left, [{ token: `apns:${hex}` }], 'and it is found by each of its texts')
  await store.close()
})

const TABLES = `select schema.name from sqlite_schema as schema, pragma_table_info(schema.name) as info
  where schema.type = 'table' and info.name = 'email'`

t.test('F1: adoption makes the users of several forms of an address one; the latest wins', async (t) => {
  const { database, close } = await storeOf(`${t.testdir()}/almoner.db`)
  await t.resolves(
    fc.assert(
      fc.asyncProperty(storedUsers, async (users) => {
        await wipe(database)
        await seeUsersMerged(database, users)
      }),
      { numRuns: 100 },
    ),
  )
  await close()
})

for (const [first, second, kept] of [
  ['editor', 'editor', 2],
  ['operator', 'editor', 1],
  ['editor', 'operator', 2],
  ['disabled editor', 'editor', 2],
  ['editor', 'disabled editor', 2],
] as const)
  t.test(`F1, L4: adoption makes managers ${first} and ${second} of one address one`, async (t) => {
    const { database, close } = await storeOf(`${t.testdir()}/almoner.db`)
    await seeManagersMerged(t, database, TABLES, [first, second], kept)
    await close()
  })

t.test('H5: adoption composes the identifiers of labels, sectors and organizations', async (t) => {
  const { database, close } = await storeOf(`${t.testdir()}/almoner.db`)
  await putItems(database)
  await t.resolves(
    fc.assert(
      fc.asyncProperty(storedIds, (ids) => seeIdsComposed(t, database, ids)),
      { numRuns: 50 },
    ),
  )
  await close()
})
