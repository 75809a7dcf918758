import * as contracts from '@almoner/testkit/contracts'
import t from 'tap'
import { nodeRandom, nodeSecrets, nodeTimer, systemClock, uuidIds } from '../src/index.ts'

// Node's clock, timer, chance, identifiers and secrets keep the promises that the ports make.
const runner: contracts.ContractRunner = (name, body) => {
  t.test(name, async (t) =>
    body({
      same: (actual, expected, message = 'is the same') => t.strictSame(actual, expected, message),
      ok: (value, message = 'holds') => t.ok(value, message),
    }),
  )
}

contracts.clockContract(runner, () => systemClock)
contracts.idsContract(runner, uuidIds)
contracts.randomContract(runner, () => nodeRandom)
contracts.timerContract(runner, () => nodeTimer)
contracts.secretsContract(runner, () => nodeSecrets())
