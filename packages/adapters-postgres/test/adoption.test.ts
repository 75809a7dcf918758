import fc from 'fast-check'
import t from 'tap'
import {
  seeManagersMerged,
  seeUsersMerged,
  storedUsers,
} from '../../adapters-sqlite/test/fixtures/address-forms.ts'
import { putItems, seeIdsComposed, storedIds } from '../../adapters-sqlite/test/fixtures/composed-ids.ts'
import {
  putTexts,
  seeTextsMerged,
  storedTexts,
} from '../../adapters-sqlite/test/fixtures/device-spellings.ts'
import { adopt } from '../../adapters-sqlite/test/fixtures/unreleased.ts'
import { wipe } from '../../adapters-sqlite/test/sending/looks.ts'
import { freshStore } from './store-of.ts'

// What adoption makes of the rows of an unreleased state (ADR 53).

t.test(
  'F4: adoption makes all texts of one destination one device; the latest attachment wins',
  async (t) => {
    const { database, close } = await freshStore()
    await t.resolves(
      fc.assert(
        fc.asyncProperty(storedTexts, async (texts) => {
          await wipe(database)
          await putTexts(database, texts)
          await adopt(database)
          await seeTextsMerged(database, texts)
        }),
        { numRuns: 15 },
      ),
    )
    await close()
  },
)

const TABLES = `select table_name as name from information_schema.columns
  where table_schema = current_schema() and column_name = 'email'`

t.test('F1: adoption makes the users of several forms of an address one; the latest wins', async (t) => {
  const { database, close } = await freshStore()
  await t.resolves(
    fc.assert(
      fc.asyncProperty(storedUsers, async (users) => {
        await wipe(database)
        await seeUsersMerged(database, users)
      }),
      { numRuns: 15 },
    ),
  )
  await close()
})

t.test('F1, L4: adoption makes an operator and an editor of one address one', async (t) => {
  const { database, close } = await freshStore()
  await seeManagersMerged(t, database, TABLES, ['operator', 'editor'], 1)
  await close()
})

t.test('H5: adoption composes the identifiers of labels, sectors and organizations', async (t) => {
  const { database, close } = await freshStore()
  await putItems(database)
  await t.resolves(
    fc.assert(
      fc.asyncProperty(storedIds, (ids) => seeIdsComposed(t, database, ids)),
      { numRuns: 10 },
    ),
  )
  await close()
})
