import t from 'tap'
import { checkModel } from '../model/check.ts'
import { shareRig } from '../support/shared-fixture.ts'

for (const store of ['memory', 'sqlite'] as const)
  t.test(
    `A to G: after random requests, responses equal those of a simple model of the interface (${store})`,
    async (t) => {
      const asked = await checkModel({ open: (folder) => shareRig(folder, { store }), runs: 20, length: 100 })
      t.ok(asked > 200, `${asked} requests`)
    },
  )

t.test('A4: the model detects a service with another token lifetime', async (t) => {
  const open = (folder: string) => shareRig(folder, { store: 'memory', policy: { tokenTtl: 60 } })
  await t.rejects(checkModel({ open, runs: 20, length: 20 }), /Property failed/)
})
