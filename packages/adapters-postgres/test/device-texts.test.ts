import fc from 'fast-check'
import t from 'tap'
import {
  mergeTexts,
  putTexts,
  seeTextsMerged,
  storedTexts,
} from '../../adapters-sqlite/test/fixtures/device-spellings.ts'
import { wipe } from '../../adapters-sqlite/test/sending/looks.ts'
import { freshStore } from './store-of.ts'

t.test(
  'F4: an upgrade makes all texts of one destination one device; the latest attachment wins',
  async (t) => {
    const { database, close } = await freshStore()
    await t.resolves(
      fc.assert(
        fc.asyncProperty(storedTexts, async (texts) => {
          await wipe(database)
          await putTexts(database, texts)
          await mergeTexts(database)
          await seeTextsMerged(database, texts)
        }),
        { numRuns: 15 },
      ),
    )
    await close()
  },
)
