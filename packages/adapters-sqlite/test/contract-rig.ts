import { join } from 'node:path'
import type * as contracts from '@almoner/domain/contracts'
import t from 'tap'
import { storeOf } from './store-of.ts'

/** Runs contract suites under tap, each test on a file of its own. */
export const contractRig = () => {
  const folder = t.testdir()
  const runner: contracts.ContractRunner = (name, body) => {
    t.test(name, async (t) =>
      body({ same: (a, b, m = 'is the same') => t.strictSame(a, b, m), ok: (v, m = 'holds') => t.ok(v, m) }),
    )
  }
  let files = 0
  const store = () => {
    files += 1
    return storeOf(join(folder, `${files}.db`))
  }
  return { runner, store }
}
