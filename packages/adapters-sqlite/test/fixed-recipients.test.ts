import * as fc from 'fast-check'
import t from 'tap'
import { makeFixture } from './sending/fixture.ts'
import { wipe } from './sending/looks.ts'
import { attachments, steps } from './sending/steps.ts'
import { storeOf } from './store-of.ts'

t.test(
  'G4, G5: each fixed recipient gets exactly one outcome and no other device has any, after any operations',
  async (t) => {
    const store = await storeOf(`${t.testdir()}/almoner.db`)
    const property = fc.assert(
      fc.asyncProperty(attachments, steps, async (attached, happening) => {
        await wipe(store.database)
        const fixture = makeFixture(store)
        for (const one of [...attached, ...happening]) await fixture.take(one)
        await fixture.settle()
      }),
      { numRuns: 250 },
    )
    await t.resolves(property)
    await store.close()
  },
)
