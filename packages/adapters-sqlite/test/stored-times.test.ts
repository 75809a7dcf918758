import t from 'tap'
import { NOTHING_UNLISTED, unlistedTimes } from './fixtures/stored-times.ts'
import { storeOf } from './store-of.ts'

t.test(
  'I9: the table of stored times has every time of the schema, with what steps of the clock may do',
  async (t) => {
    const { database, close } = await storeOf(`${t.testdir()}/almoner.db`)
    t.strictSame(await unlistedTimes(database), NOTHING_UNLISTED)
    await close()
  },
)
