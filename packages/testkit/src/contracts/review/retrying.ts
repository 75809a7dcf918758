import { MOST_ATTEMPTS } from '@almoner/domain/delivery'
import { DELIVERED, retry } from '@almoner/domain/notifications'
import { MINUTE, SECOND } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { done, sampleEmail, sampleMoment } from '../samples.ts'
import { type OnStage, readerOf, report } from './fixture.ts'

/** Retries. */
export const retrying = (on: OnStage): void => {
  on(
    'G5: a retry follows the provider’s Retry-After: not earlier, and at the next review after it',
    async (check, setup) => {
      await setup.readers(0, 2)
      const id = await setup.notification(1)
      let isBusy = true
      const reviewer = setup.reviewer({
        script: (push) => (isBusy && readerOf(push) === 1 ? retry(O.some(90 * SECOND)) : DELIVERED),
      })
      check.same(await reviewer.reviewed(), {
        started: 1,
        tally: { delivered: 1, failed: 0, dead: 0, skipped: 0 },
        retries: 1,
        deferred: 0,
        paused: [],
        answers: [{ provider: 'fcm', result: 'Retry', reason: '', count: 1 }],
        setAside: [],
        shortened: [],
      })
      check.same(await setup.report(id), report('sending', { recipients: 2, pending: 1, delivered: 1 }))
      isBusy = false
      for (const seconds of [0, 60, 89.999]) {
        setup.clock.set(sampleMoment(seconds))
        await reviewer.reviewed()
        check.same(reviewer.pushes().length, 2)
      }
      setup.clock.set(sampleMoment(90))
      await reviewer.reviewed()
      check.same(reviewer.sentTo(), [0, 1, 1])
      check.same(await setup.report(id), report('sent', { recipients: 2, delivered: 2 }))
    },
  )

  on(
    'G5: without Retry-After the retry follows after a random part of a delay that doubles',
    async (check, setup) => {
      await setup.readers(0, 1)
      await setup.notification(1)
      const reviewer = setup.reviewer({ script: () => retry(), random: { fraction: () => 0.5 } })
      const delays: Array<number> = []
      for (let attempt = 1; attempt <= 12; attempt += 1) {
        const before = setup.clock.now()
        await reviewer.reviewed()
        check.same(reviewer.pushes().length, attempt)
        const { nextRetry } = await done(setup.deliveries.backlog())
        if (O.isNone(nextRetry)) throw new Error('there is a retry')
        delays.push((nextRetry.value - before) / SECOND)
        setup.clock.set(nextRetry.value)
      }
      check.same(delays, [5, 10, 20, 40, 80, 160, 320, 640, 1280, 1800, 1800, 1800])
    },
  )

  on('G5: if a provider is down for a minute, all devices still get their push', async (check, setup) => {
    await setup.readers(0, 20)
    const id = await setup.notification(1)
    const isDown = () => setup.clock.now() < sampleMoment(60)
    const reviewer = setup.reviewer({ script: () => (isDown() ? retry() : DELIVERED) })
    for (let review = 0; review < 20; review += 1) {
      await reviewer.reviewed()
      setup.clock.advance(10 * SECOND)
    }
    check.same(await setup.report(id), report('sent', { recipients: 20, delivered: 20 }))
  })

  on('G5: the number of retries is limited', async (check, setup) => {
    await setup.readers(0, 1)
    const id = await setup.notification(1)
    const reviewer = setup.reviewer({ script: () => retry(), policy: { notificationLife: 86_400 * 365 } })
    for (let review = 0; review < MOST_ATTEMPTS + 5; review += 1) {
      await reviewer.reviewed()
      setup.clock.advance(60 * MINUTE)
    }
    check.same(reviewer.pushes().length, MOST_ATTEMPTS)
    check.same(await setup.report(id), report('failed', { recipients: 1, failed: 1 }))
  })

  on('G5: no retry is later than the end of the notification’s life', async (check, setup) => {
    await setup.readers(0, 2)
    const id = await setup.notification(1)
    const reviewer = setup.reviewer({
      policy: { notificationLife: 600 },
      script: (push) => retry(O.some((readerOf(push) === 0 ? 600 : 599) * SECOND)),
    })
    await reviewer.reviewed()
    check.same(
      await setup.report(id),
      report('sending', { recipients: 2, pending: 2 }),
      'one would be too late, and is retried just before the end',
    )
    for (const seconds of [579, 580]) {
      setup.clock.advance(sampleMoment(seconds) - setup.clock.now())
      await reviewer.reviewed()
      check.same(reviewer.sentTo().slice(2), seconds < 580 ? [] : [0])
    }
    check.same(await setup.report(id), report('sending', { recipients: 2, pending: 1, failed: 1 }))
    setup.clock.advance(sampleMoment(601) - setup.clock.now())
    await reviewer.reviewed()
    check.same(reviewer.pushes().length, 3, 'the other was not sent in time')
    check.same(await setup.report(id), report('failed', { recipients: 2, failed: 2 }))
  })

  on('G4: a retry is skipped if the user has unsubscribed meanwhile', async (check, setup) => {
    await setup.readers(0, 1)
    const id = await setup.notification(1)
    const reviewer = setup.reviewer({ script: () => retry(O.some(SECOND)) })
    await reviewer.reviewed()
    await done(setup.users.prefer(sampleEmail(0), { subscribed: false }))
    setup.clock.advance(SECOND)
    await reviewer.reviewed()
    check.same(reviewer.pushes().length, 1)
    check.same(await setup.report(id), report('sent', { recipients: 1, skipped: 1 }))
  })

  on('G3: retries of a deleted notification are not sent', async (check, setup) => {
    await setup.readers(0, 1)
    const id = await setup.notification(1)
    const reviewer = setup.reviewer({ script: () => retry(O.some(SECOND)) })
    await reviewer.reviewed()
    await done(setup.notifications.remove(id))
    setup.clock.advance(SECOND)
    await reviewer.reviewed()
    check.same(reviewer.pushes().length, 1)
  })

  on('G5: waiting retries do not delay other pushes', async (check, setup) => {
    await setup.readers(0, 30)
    const id = await setup.notification(1)
    const reviewer = setup.reviewer({
      window: 3,
      script: (push) => (readerOf(push) % 3 === 0 ? retry(O.some(60 * SECOND)) : DELIVERED),
    })
    const { tally, retries: again } = await reviewer.reviewed()
    check.same([tally.delivered, again], [20, 10])
    check.same((await setup.report(id))?.pending, 10)
  })
}
