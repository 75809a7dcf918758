import { join } from 'node:path'
import { done } from '@almoner/testkit/contracts'
import * as fc from 'fast-check'
import t from 'tap'
import { makeFixture } from './sending/fixture.ts'
import { wipe } from './sending/looks.ts'
import { attachments, steps } from './sending/steps.ts'
import { storeOf } from './store-of.ts'
import { batchesFrom, contentOf, importInto } from './transfer/transfer.ts'

/** The maximum number of claims in a fixture of this number of steps. */
const CLAIMS = 10

t.test(
  'G4, G5: each fixed recipient gets one outcome and no other device any, even if the data is moved meanwhile',
  async (t) => {
    const folder = t.testdir()
    const [one, other] = [await storeOf(join(folder, '1.db')), await storeOf(join(folder, '2.db'))]
    const places = { home: one, empty: other }
    /** The store that is home at the moment, under one name for each of its ports. */
    const home = new Proxy(one, {
      get: (_, port: keyof typeof one) =>
        new Proxy(one[port] as object, {
          get: (_, name) => {
            const target = places.home[port] as unknown as Record<string | symbol, unknown>
            const member = target[name]
            return typeof member === 'function' ? member.bind(target) : member
          },
        }),
    })
    const move = async () => {
      await done(importInto(places.empty.database, () => batchesFrom(places.home.database)))
      t.strictSame(await contentOf(places.empty.database), await contentOf(places.home.database))
      await wipe(places.home.database)
      Object.assign(places, { home: places.empty, empty: places.home })
    }
    const property = fc.assert(
      fc.asyncProperty(attachments, steps, steps, async (attached, before, after) => {
        for (const { database } of [one, other]) await wipe(database)
        const fixture = makeFixture(home)
        for (const step of [...attached, ...before]) await fixture.take(step)
        // Leases end with the move.
        for (let batch = 0; batch < CLAIMS; batch += 1) await fixture.take({ kind: 'letGo', batch })
        await move()
        for (const step of after) await fixture.take(step)
        await fixture.settle()
      }),
      { numRuns: 8 },
    )
    await t.resolves(property)
    await Promise.all([one.close(), other.close()])
  },
)
