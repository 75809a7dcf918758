import t from 'tap'
import { checkModel } from './model/check.ts'
import { shareRig } from './support/shared-fixture.ts'

for (const store of ['memory', 'sqlite'] as const)
  t.test(
    `A to G: whatever is done, the service answers as a simple model of the interface does (${store})`,
    async (t) => {
      const asked = await checkModel({ open: (folder) => shareRig(folder, { store }), runs: 20, length: 100 })
      t.ok(asked > 200, `${asked} requests`)
    },
  )

t.test('A4: a service that gives tokens another life than the model has is told apart', async (t) => {
  const open = (folder: string) => shareRig(folder, { store: 'memory', policy: { tokenTtl: 60 } })
  await t.rejects(checkModel({ open, runs: 20, length: 20 }), /Property failed/)
})
