import { done, sampleDevice, sampleMoment } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import t from 'tap'
import {
  mergeTexts,
  putTexts,
  type StoredText,
  seeTextsMerged,
  storedTexts,
} from './fixtures/device-spellings.ts'
import { wipe } from './sending/looks.ts'
import { storeOf } from './store-of.ts'

t.test(
  'F4: an upgrade makes all texts of one destination one device; the latest attachment wins',
  async (t) => {
    const { database, close } = await storeOf(`${t.testdir()}/almoner.db`)
    await t.resolves(
      fc.assert(
        fc.asyncProperty(storedTexts, async (texts) => {
          await wipe(database)
          await putTexts(database, texts)
          await mergeTexts(database)
          await seeTextsMerged(database, texts)
          await mergeTexts(database)
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
  await mergeTexts(database)
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
  await mergeTexts(store.database)
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
