import { makeStore } from '@almoner/adapters-kysely'
import type * as contracts from '@almoner/testkit/contracts'
import t from 'tap'
import { ALL_ROLES, HOST_ROLES } from './host-roles.ts'
import { storeAs } from './store-as.ts'
import { reusableStores, storeBehindPooler } from './store-of.ts'
import { storeOfHost } from './store-of-host.ts'

/** The role that TEST_ROLE names, as in the campaign of roles; otherwise one with the settings of all. */
const role = HOST_ROLES.find(({ name }) => name === process.env['TEST_ROLE']) ?? ALL_ROLES

/** Runs contract suites under tap, each test on a new database, to which a role connects that a host has set up (I10). */
export const contractFixture = () => {
  const runner: contracts.ContractRunner = (name, body) => {
    t.test(name, async (t) =>
      body({ same: (a, b, m = 'is the same') => t.strictSame(a, b, m), ok: (v, m = 'holds') => t.ok(v, m) }),
    )
  }
  const store = reusableStores(() => {
    if (process.env['TEST_POOLER'] === 'on') return storeBehindPooler()
    return process.env['TEST_KYSELY'] === 'on' ? storeOfHost() : storeAs(role)
  })
  /** Two processes' repositories on one database. */
  const ranks = async (): Promise<contracts.OffsetIndexUnderTest> => {
    const { database, close } = await store()
    return { stores: [makeStore(database), makeStore(database)], close }
  }
  return { runner, store, ranks }
}
