import { linked } from '@almoner/domain/media'
import { DELIVERED, holdBack, type MessageText, retry } from '@almoner/domain/notifications'
import { elapsed } from '@almoner/domain/ports'
import { MINUTE, SECOND, type WebUrl } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { done, sampleEmail, sampleId, sampleLibraryItem, sampleMoment } from '../samples.ts'
import { type ReviewFixture, type ReviewTest, range, report, sorted } from './fixture.ts'

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
export const scheduling = (on: ReviewTest): void => {
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

/** Reviews whose clock is set meanwhile (I9). */
export const stepping = (on: ReviewTest): void => {
  for (const step of [-1000 * DAY, -DAY, -45, 31, 3600, DAY, 1000 * DAY])
    on(
      `I9: a clock that is set by ${step} s takes no batch from a process that lives`,
      async (check, setup) => {
        await setup.readers(0, 10)
        const id = await setup.notification(1)
        const policy = { notificationLife: 10_000 * DAY }
        const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
        const first = setup.reviewer({
          policy,
          script: async () => {
            begun.resolve()
            await goOn.promise
            return DELIVERED
          },
        })
        const reviewed = first.reviewed()
        await begun.promise
        const second = setup.reviewer({ policy })
        await second.reviewed()
        setup.clock.set(sampleMoment(step))
        for (let look = 0; look < 3; look += 1) await second.reviewed()
        check.same(second.pushes(), [])
        goOn.resolve()
        await reviewed
        check.same(sorted([first, second].flatMap((one) => one.sentTo())), range(0, 10))
        check.same((await setup.report(id))?.state, 'sent')
      },
    )

  for (const step of [3600, DAY, 1000 * DAY])
    on(
      `I9: a clock that is ${step} s ahead for a moment ends no life, and retries hold for their own length`,
      async (check, setup) => {
        await setup.readers(0, 4)
        const id = await setup.notification(1)
        let sent = 0
        const reviewer = setup.reviewer({
          window: 1,
          policy: { notificationLife: 600 },
          random: { fraction: () => 0.99 },
          script: () => {
            sent += 1
            if (sent === 2) setup.clock.set(sampleMoment(step))
            return sent === 3 ? retry() : DELIVERED
          },
        })
        await reviewer.reviewed()
        check.same(
          await setup.report(id),
          report('sending', { recipients: 4, pending: 1, delivered: 3 }),
          'while it is ahead, devices are sent to, and one is tried again later',
        )
        setup.clock.advance(2000)
        setup.clock.set(sampleMoment(2))
        await reviewer.reviewed()
        check.same(await setup.report(id), report('sent', { recipients: 4, delivered: 4 }))
      },
    )

  for (const step of [-1000 * DAY, DAY, 1000 * DAY])
    on(
      `I9: an origin that asks us to wait is sent to as fast after a step of ${step} s`,
      async (check, setup) => {
        await setup.readers(0, 40)
        await setup.notification(1)
        let sent = 0
        const reviewer = setup.reviewer({
          window: 10,
          policy: { notificationLife: 10_000 * DAY },
          script: () => {
            sent += 1
            if (sent === 20) setup.clock.set(sampleMoment(step))
            return sent === 21 ? holdBack(O.some(SECOND)) : DELIVERED
          },
        })
        for (let seconds = 0; seconds < 10; seconds += 1) {
          await reviewer.reviewed()
          setup.clock.advance(SECOND)
        }
        check.same([...new Set(reviewer.sentTo())].length, 40)
        check.ok(elapsed(setup.clock) < 30 * SECOND, `${elapsed(setup.clock)} ms have passed`)
      },
    )

  on('I9: after an hour the clock is believed, and a life ends', async (check, setup) => {
    await setup.readers(0, 1)
    const id = await setup.notification(1)
    const reviewer = setup.reviewer({ policy: { notificationLife: 30 * DAY }, script: () => retry() })
    await reviewer.reviewed()
    setup.clock.set(sampleMoment(31 * DAY))
    await reviewer.reviewed()
    check.same((await setup.report(id))?.state, 'sending')
    setup.clock.advance(60 * MINUTE)
    await reviewer.reviewed()
    check.same((await setup.report(id))?.state, 'failed')
  })
}
