import t from 'tap'
import { type ContractRunner, reviewContract } from '../contracts/index.ts'
import { memoryStore } from '../memory/index.ts'

// The review suite on the in-memory store; database adapters run the same suite.
const runner: ContractRunner = (name, body) => {
  t.test(name, async (t) =>
    body({ same: (a, b, m) => t.strictSame(a, b, m ?? ''), ok: (v, m) => t.ok(v, m ?? '') }),
  )
}

reviewContract(runner, async () => ({ ...memoryStore(), close: async () => {} }))
