import t from 'tap'
import { NOTHING_UNLISTED, unlistedTimes } from '../../adapters-sqlite/test/fixtures/stored-times.ts'
import { freshStore } from './store-of.ts'

t.test(
  'I9: the table of stored times has every time of the schema, with what steps of the clock may do',
  async (t) => {
    const { database, close } = await freshStore()
    t.strictSame(await unlistedTimes(database), NOTHING_UNLISTED)
    await close()
  },
)
