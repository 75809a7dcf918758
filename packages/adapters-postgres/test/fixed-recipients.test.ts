import * as fc from 'fast-check'
import t from 'tap'
import { makeFixture } from '../../adapters-sqlite/test/sending/fixture.ts'
import { wipe } from '../../adapters-sqlite/test/sending/looks.ts'
import { attachments, steps } from '../../adapters-sqlite/test/sending/steps.ts'
import { freshStore } from './store-of.ts'

t.test(
  'G4, G5: each fixed recipient gets exactly one outcome and no other device has any, after any operations',
  async (t) => {
    const store = await freshStore()
    const property = fc.assert(
      fc.asyncProperty(attachments, steps, async (attached, happening) => {
        await wipe(store.database)
        const fixture = makeFixture(store)
        for (const one of [...attached, ...happening]) await fixture.take(one)
        await fixture.settle()
      }),
      { numRuns: 40 },
    )
    await t.resolves(property)
    await store.close()
  },
)
