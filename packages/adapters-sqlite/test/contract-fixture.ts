import { join } from 'node:path'
import { makeStore, withOffsetIndexes } from '@almoner/adapters-kysely'
import type * as contracts from '@almoner/testkit/contracts'
import t from 'tap'
import type { SqliteDatabase } from '../src/index.ts'
import { databaseOf, storeOf } from './store-of.ts'

/** Places that an offset index counts together: few, so that there are many bounds. */
const SIZE = 4

/** Runs contract suites under tap, each test on a new file. */
export const contractFixture = () => {
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
  /** Two stores on two engines of one file, with and without an offset index of few places. */
  const ranks = (isIndexed: boolean) => async (): Promise<contracts.OffsetIndexUnderTest> => {
    files += 1
    const file = join(folder, `${files}.db`)
    const [one, other] = [await databaseOf(file), await databaseOf(file)]
    const close = async () => {
      await one.close()
      await other.close()
    }
    const storeOn = (database: SqliteDatabase) =>
      isIndexed
        ? withOffsetIndexes(makeStore(database), database, { size: SIZE, near: 0 })
        : makeStore(database)
    return { stores: [storeOn(one), storeOn(other)], close }
  }
  return { runner, store, ranks }
}
