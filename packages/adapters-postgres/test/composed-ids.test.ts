import fc from 'fast-check'
import t from 'tap'
import { putItems, seeIdsComposed, storedIds } from '../../adapters-sqlite/test/fixtures/composed-ids.ts'
import { freshStore } from './store-of.ts'

t.test('H5: an upgrade composes the identifiers of labels, sectors and organizations', async (t) => {
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
