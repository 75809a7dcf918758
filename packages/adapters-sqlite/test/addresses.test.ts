import fc from 'fast-check'
import t from 'tap'
import { seeManagersMerged, seeUsersMerged, storedUsers } from './fixtures/address-forms.ts'
import { wipe } from './sending/looks.ts'
import { storeOf } from './store-of.ts'

const TABLES = `select schema.name from sqlite_schema as schema, pragma_table_info(schema.name) as info
  where schema.type = 'table' and info.name = 'email'`

t.test('F1: an upgrade makes the users of several forms of an address one; the latest wins', async (t) => {
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
  t.test(`F1, L4: an upgrade makes managers ${first} and ${second} of one address one`, async (t) => {
    const { database, close } = await storeOf(`${t.testdir()}/almoner.db`)
    await seeManagersMerged(t, database, TABLES, [first, second], kept)
    await close()
  })
