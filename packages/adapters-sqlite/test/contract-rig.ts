import { join } from 'node:path'
import { makeStore } from '@almoner/adapters-kysely'
import type * as contracts from '@almoner/domain/contracts'
import t from 'tap'
import { engineOf, storeOf } from './store-of.ts'

/** Places counted together where ranks are looked up: few, so that much is counted and split. */
const BLOCK = 4

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
  /** Two stores on two engines of one file, which count few places together. */
  const ranks = async (): Promise<contracts.RanksUnderTest> => {
    files += 1
    const file = join(folder, `${files}.db`)
    const [one, other] = [await engineOf(file), await engineOf(file)]
    const close = async () => {
      await one.close()
      await other.close()
    }
    return { stores: [makeStore(one, BLOCK), makeStore(other, BLOCK)], close }
  }
  return { runner, store, ranks }
}
