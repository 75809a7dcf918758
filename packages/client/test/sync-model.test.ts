import t from 'tap'
import { runRounds } from './model/rounds.ts'
import { startNodes } from './support/nodes.ts'

for (const store of ['sqlite', 'postgres'] as const)
  t.test(
    `N2: on ${store}, copies of random clients equal the collections while three nodes write`,
    async (t) => {
      const { nodes } = await startNodes(t, store)
      const { findings } = await runRounds({ nodes, seed: 52, rounds: 16, patience: 10_000 })
      t.strictSame(findings, [])
    },
  )
