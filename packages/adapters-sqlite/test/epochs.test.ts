import { join } from 'node:path'
import { done, sampleFeedItem } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { copySqlite, restoreSqlite } from '../src/index.ts'

import { storeOf } from './store-of.ts'

t.test('N3: a restored backup begins another epoch; cursors up to the backup stay good', async (t) => {
  const folder = t.testdir()
  const [file, copy, target] = ['a.db', 'copy.db', 'b.db'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const live = await storeOf(file)
  await done(live.feedItems.add({ item: sampleFeedItem(1), linksToImages: [] }))
  const before = await done(live.changes.tip())
  await done(copySqlite({ file, to: copy }))
  await done(live.feedItems.add({ item: sampleFeedItem(2), linksToImages: [] }))
  t.ok((await done(live.changes.tip())).position > before.position)
  await live.close()
  await done(restoreSqlite({ from: copy, file: target }))
  const restored = await storeOf(target)
  const after = await done(restored.changes.tip())
  t.not(after.epoch, before.epoch)
  t.equal(after.position, before.position)
  t.strictSame(await done(restored.changes.endOf(before.epoch)), O.some(before.position))
  await restored.close()
})
