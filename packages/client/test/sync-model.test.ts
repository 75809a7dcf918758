import t from 'tap'
import { runRounds } from './model/rounds.ts'
import { startNodes } from './support/nodes.ts'

/** The acts that each run must have done, so that it proves something of them. */
const DONE = ['find size', 'delete draft', 'put back']

for (const store of ['sqlite', 'postgres'] as const)
  for (const isEmbargoed of [false, true])
    t.test(
      `N2, C9, C18, D9: on ${store}, copies of random clients equal the collections while three nodes write${isEmbargoed ? ' and days pass' : ''}`,
      async (t) => {
        const { nodes } = await startNodes(t, store, isEmbargoed)
        const { findings, statuses } = await runRounds({ nodes, seed: 52, rounds: 12, patience: 10_000 })
        t.strictSame(findings, [])
        for (const act of isEmbargoed ? [...DONE, 'pass days'] : DONE)
          t.ok((statuses[act]?.['done'] ?? 0) > 0, act)
      },
    )
