import { makeStore } from '@almoner/adapters-kysely'
import type * as contracts from '@almoner/domain/contracts'
import t from 'tap'
import { freshStore } from './store-of.ts'

/** Runs contract suites under tap, each test on a new database. */
export const contractFixture = () => {
  const runner: contracts.ContractRunner = (name, body) => {
    t.test(name, async (t) =>
      body({ same: (a, b, m = 'is the same') => t.strictSame(a, b, m), ok: (v, m = 'holds') => t.ok(v, m) }),
    )
  }
  /** Two processes' repositories on one database. */
  const ranks = async (): Promise<contracts.RanksUnderTest> => {
    const { database, close } = await freshStore()
    return { stores: [makeStore(database), makeStore(database)], close }
  }
  return { runner, store: freshStore, ranks }
}
