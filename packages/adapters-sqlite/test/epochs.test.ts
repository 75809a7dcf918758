import { join } from 'node:path'
import { makeStore } from '@almoner/adapters-kysely'
import { done, sampleFeedItem } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { copySqlite, openSqlite, restoreSqlite } from '../src/index.ts'

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

t.test('N3, I8: a state that lacks what a copy holds says nothing of how far changes are', async (t) => {
  const folder = t.testdir()
  const [file, copy] = [join(folder, 'a.db'), join(folder, 'copy.db')]
  const live = await storeOf(file)
  await done(live.feedItems.add({ item: sampleFeedItem(1), linksToImages: [] }))
  await done(copySqlite({ file, to: copy }))
  const behind = await done(live.changes.tip())
  await done(live.feedItems.add({ item: sampleFeedItem(2), linksToImages: [] }))
  const tip = await done(live.changes.tip())
  await live.close()
  const [database, shown] = [await done(openSqlite({ file })), await done(openSqlite({ file: copy }))]
  const { changes } = makeStore({ ...database, shown })
  t.strictSame(await done(changes.tip()), behind)
  t.strictSame(await done(changes.tip(behind)), behind)
  t.strictSame(await done(changes.tip(tip)), tip)
  t.strictSame(await done(changes.tip({ ...behind, epoch: 'another' })), tip)
  for (const each of [database, shown]) await each.close()
})
