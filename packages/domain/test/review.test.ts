import { type ContractRunner, reviewContract } from '@almoner/testkit/contracts'
import { memoryStore } from '@almoner/testkit/memory'
import t from 'tap'

// The review suite on the in-memory store; database adapters run the same suite.
const runner: ContractRunner = (name, body) => {
  t.test(name, async (t) =>
    body({ same: (a, b, m) => t.strictSame(a, b, m ?? ''), ok: (v, m) => t.ok(v, m ?? '') }),
  )
}

reviewContract(runner, async () => ({ ...memoryStore(), close: async () => {} }))
