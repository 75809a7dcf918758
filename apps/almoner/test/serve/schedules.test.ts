import { systemClock } from '@almoner/adapters-node'
import { addMillis, instant } from '@almoner/domain/values'
import { done, sampleFeedItem, sampleLibraryItem } from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { logLines, serve } from '../support/almoner.ts'
import { makeCurrent, onStore } from '../support/database.ts'

t.test(
  'C15, G9: a server carries out schedules of a downtime, and those that other processes set',
  async (t) => {
    const folder = t.testdir()
    await makeCurrent(folder)
    const past = { publishAt: O.some(instant(1000)) }
    await onStore(folder, async ({ libraryItems, feedItems }) => {
      await done(feedItems.add({ item: sampleFeedItem(1, past), linksToImages: [] }))
      await done(libraryItems.add({ item: sampleLibraryItem(2, past), linksToImages: [] }))
    })
    const server = await serve(folder, [], { ALMONER_REVIEW: 'off' })
    await server.logged('"job":"schedules","changed":1,"failed":1')
    const soon = { publishAt: O.some(addMillis(systemClock.now(), 500)) }
    await onStore(folder, ({ feedItems }) =>
      done(feedItems.add({ item: sampleFeedItem(3, soon), linksToImages: [] })),
    )
    await server.logged('"job":"schedules","changed":1,"failed":0')
    const { err } = await server.stop()
    const [failed, ...others] = logLines(err).filter(({ msg }) => msg === 'a schedule failed')
    t.strictSame(others, [])
    t.match(failed, {
      level: 'warn',
      contentType: 'library',
      item: sampleLibraryItem(2).id,
      moment: 'publishAt',
    })
    t.match(failed, { missing: ['coverImgUrl', 'notificationImgUrl'] })
    await onStore(folder, async ({ feedItems }) => {
      for (const n of [1, 3]) {
        const item = await done(feedItems.find(sampleFeedItem(n).id))
        t.match(item, O.some({ status: 'Live', revision: 2, publishAt: O.none }))
      }
    })
  },
)
