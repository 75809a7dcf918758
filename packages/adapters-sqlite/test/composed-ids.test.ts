import fc from 'fast-check'
import t from 'tap'
import { putItems, seeIdsComposed, storedIds } from './fixtures/composed-ids.ts'
import { storeOf } from './store-of.ts'

t.test('H5: an upgrade composes the identifiers of labels, sectors and organizations', async (t) => {
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
