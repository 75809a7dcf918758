import { linked } from '@almoner/domain/media'
import { DELIVERED, type MessageText } from '@almoner/domain/notifications'
import type { WebUrl } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { done, sampleEmail, sampleId, sampleLibraryItem, sampleMoment } from '../samples.ts'
import { type OnStage, type ReviewFixture, range, report } from './fixture.ts'

const DAY = 86_400

/** Creates or changes the first sample item so that it is Live or a Draft. */
const publish = (setup: ReviewFixture, status: 'Live' | 'Draft', n: number) => {
  const image = O.some(linked(`https://example.org/${n}.png` as WebUrl)) as O.Some<ReturnType<typeof linked>>
  const link = `https://example.org/${n}` as WebUrl
  return done(
    setup.libraryItems.change(sampleId(1), (item) =>
      E.right({
        item: { ...item, status, link, images: { cover: image, notification: image } },
        storesImages: [],
        displaysImages: [],
        linksToImages: [],
      }),
    ),
  )
}

/** When a notification is sent, and its content. */
export const scheduling = (on: OnStage): void => {
  on('a push is sent to each subscribed user whose language is the notification’s', async (check, setup) => {
    await setup.readers(0, 3)
    await setup.readers(3, 5, 'fr')
    await done(setup.users.prefer(sampleEmail(1), { subscribed: false }))
    const id = await setup.notification(1)
    const reviewer = setup.reviewer()
    check.same(await reviewer.reviewed(), {
      started: 1,
      tally: { delivered: 2, failed: 0, dead: 0, skipped: 0 },
      retries: 0,
      deferred: 0,
      paused: [],
      answers: [],
      setAside: [],
      shortened: [],
    })
    check.same(reviewer.sentTo(), [0, 2])
    check.same(await setup.report(id), report('sent', { recipients: 2, delivered: 2 }))
    check.same((await reviewer.reviewed()).started, 0)
    check.same(reviewer.sentTo(), [0, 2], 'only once')
  })

  on(
    'G2, G4: nothing is sent before the due date, and everything at the next review after it',
    async (check, setup) => {
      await setup.readers(0, 1)
      const past = await setup.notification(1, { date: O.some(sampleMoment(-DAY * 3)) })
      const soon = await setup.notification(2, { date: O.some(sampleMoment(60)) })
      const reviewer = setup.reviewer()
      await reviewer.reviewed()
      check.same(await setup.report(soon), report('scheduled', {}))
      setup.clock.set(sampleMoment(59))
      await reviewer.reviewed()
      check.same(
        reviewer.pushes().map(({ notificationId }) => notificationId),
        [past],
      )
      setup.clock.set(sampleMoment(60))
      await reviewer.reviewed()
      check.same(
        reviewer.pushes().map(({ notificationId }) => notificationId),
        [past, soon],
      )
    },
  )

  on('G4: all notifications missed during a downtime are sent at the next review', async (check, setup) => {
    await setup.readers(0, 2)
    const missed = [1, 2, 3]
    for (const n of missed) await setup.notification(n, { date: O.some(sampleMoment(DAY * n)) })
    setup.clock.set(sampleMoment(DAY * 30))
    const reviewer = setup.reviewer()
    check.same((await reviewer.reviewed()).started, 3)
    check.same(reviewer.pushes().length, 6)
    check.same((await setup.report(await setup.notification(9, { date: O.none })))?.state, 'unscheduled')
  })

  on('a notification with no date never triggers a push', async (check, setup) => {
    await setup.readers(0, 1)
    const id = await setup.notification(1, { date: O.none })
    const reviewer = setup.reviewer()
    for (const days of [0, 1, 400, 40_000]) {
      setup.clock.set(sampleMoment(DAY * days))
      check.same((await reviewer.reviewed()).started, 0)
    }
    check.same(reviewer.pushes(), [])
    check.same(await setup.report(id), report('unscheduled', {}))
  })

  on('G3: a notification that is deleted before its due date is never sent', async (check, setup) => {
    await setup.readers(0, 1)
    const id = await setup.notification(1)
    await done(setup.notifications.remove(id))
    const reviewer = setup.reviewer()
    check.same((await reviewer.reviewed()).started, 0)
    check.same(reviewer.pushes(), [])
    check.same(await setup.report(id), undefined)
  })

  on(
    'G4: readers of the language when the review starts the notification get it; earlier readers do not',
    async (check, setup) => {
      await setup.readers(0, 2)
      await setup.readers(2, 4, 'fr')
      await setup.notification(1, { date: O.some(sampleMoment(60)) })
      await done(setup.users.prefer(sampleEmail(0), { lang: 'fr' }))
      await done(setup.users.prefer(sampleEmail(2), { lang: 'en' }))
      setup.clock.set(sampleMoment(60))
      const reviewer = setup.reviewer()
      await reviewer.reviewed()
      check.same(reviewer.sentTo(), [1, 2])
    },
  )

  on('G7: a notification without recipients has the state sent', async (check, setup) => {
    const id = await setup.notification(1)
    await setup.reviewer().reviewed()
    check.same(await setup.report(id), report('sent', {}))
  })

  on('a notification that becomes due during a review is sent in that review', async (check, setup) => {
    await setup.readers(0, 3)
    const late = await setup.notification(2, { date: O.some(sampleMoment(5)) })
    await setup.notification(1)
    const reviewer = setup.reviewer({
      script: () => {
        setup.clock.set(sampleMoment(5))
        return DELIVERED
      },
    })
    check.same((await reviewer.reviewed()).started, 2)
    check.same(await setup.report(late), report('sent', { recipients: 3, delivered: 3 }))
  })

  on(
    'G1: a push has the item’s links as they are when it is sent, and none unless the item is Live',
    async (check, setup) => {
      await setup.readers(0, 1)
      await done(setup.libraryItems.add({ item: sampleLibraryItem(1), linksToImages: [] }))
      const reviewer = setup.reviewer()
      const linksOf = () => {
        const data = reviewer.pushes().at(-1)?.message.data
        return [data?.actionUrl, data?.visualUrl]
      }
      const sendNow = async (n: number) => {
        await setup.notification(n, { resourceId: O.some(sampleId(1)), title: `Title ${n}` as MessageText })
        await reviewer.reviewed()
        return linksOf()
      }
      await publish(setup, 'Live', 1)
      await setup.notification(1, { resourceId: O.some(sampleId(1)), date: O.some(sampleMoment(60)) })
      await publish(setup, 'Live', 2)
      setup.clock.set(sampleMoment(60))
      await reviewer.reviewed()
      check.same(linksOf(), ['https://example.org/2', 'https://example.org/2.png'])
      await publish(setup, 'Draft', 3)
      check.same(await sendNow(2), ['', ''])
      await publish(setup, 'Live', 4)
      check.same(await sendNow(3), ['https://example.org/4', 'https://example.org/4.png'])
      check.same(reviewer.pushes().at(-1)?.message.title, 'Title 3')
      check.same(reviewer.pushes().length, range(0, 3).length)
    },
  )
}
