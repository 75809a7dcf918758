import fc from 'fast-check'
import t from 'tap'
import {
  seeManagersMerged,
  seeUsersMerged,
  storedUsers,
} from '../../adapters-sqlite/test/fixtures/address-forms.ts'
import { wipe } from '../../adapters-sqlite/test/sending/looks.ts'
import { freshStore } from './store-of.ts'

const TABLES = `select table_name as name from information_schema.columns
  where table_schema = current_schema() and column_name = 'email'`

t.test('F1: an upgrade makes the users of several forms of an address one; the latest wins', async (t) => {
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

t.test('F1, L4: an upgrade makes an operator and an editor of one address one', async (t) => {
  const { database, close } = await freshStore()
  await seeManagersMerged(t, database, TABLES, ['operator', 'editor'], 1)
  await close()
})
