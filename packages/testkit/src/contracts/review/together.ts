import { LEASE } from '@almoner/domain/delivery'
import { DELIVERED, type Push } from '@almoner/domain/notifications'
import { sampleMoment } from '../samples.ts'
import { mortal, type ReviewFixture, type ReviewTest, range, report, slowly, sorted } from './fixture.ts'

const DAY = 86_400

/** Each device once, after any earlier events. */
const everybodyOnce = (...reviewers: ReadonlyArray<ReturnType<ReviewFixture['reviewer']>>) =>
  sorted(reviewers.flatMap((reviewer) => reviewer.sentTo()))

/** Concurrent reviews, clocks that jump, and processes that stop or are killed. */
export const together = (on: ReviewTest): void => {
  on('G5: all batches together fill the in-flight limit and never exceed it', async (check, setup) => {
    await setup.readers(0, 60)
    for (const n of [1, 2, 3]) await setup.notification(n)
    for (const window of [1, 7, 100, 1000]) {
      const reviewer = setup.reviewer({ window, script: slowly })
      await setup.notification(100 + window)
      await reviewer.reviewed()
      check.ok(reviewer.mostUnrecorded() <= window, `${reviewer.mostUnrecorded()} of ${window}`)
      if (window < 60) check.same(reviewer.mostUnrecorded(), window)
    }
  })

  on('G5: with two concurrent reviews each device gets one push', async (check, setup) => {
    await setup.readers(0, 40)
    const ids = [await setup.notification(1), await setup.notification(2), await setup.notification(3)]
    const reviewers = range(0, 3).map(() => setup.reviewer({ window: 5, script: slowly }))
    const done = await Promise.all(reviewers.map((reviewer) => reviewer.reviewed()))
    check.same(
      done.reduce((sum, { started }) => sum + started, 0),
      3,
    )
    check.same(
      done.reduce((sum, { tally }) => sum + tally.delivered, 0),
      120,
    )
    check.same(everybodyOnce(...reviewers), sorted(range(0, 120).map((n) => n % 40)))
    for (const id of ids)
      check.same(await setup.report(id), report('sent', { recipients: 40, delivered: 40 }))
  })

  on(
    'G5: a stopped review finishes its pushes in flight; the next review need not wait for a lease',
    async (check, setup) => {
      await setup.readers(0, 30)
      const id = await setup.notification(1)
      const stop = { aborted: false }
      const first = setup.reviewer({
        window: 5,
        signal: stop,
        script: (push) => {
          stop.aborted = first.pushes().length >= 12
          return slowly(push)
        },
      })
      const { tally } = await first.reviewed()
      const sent = first.pushes().length
      check.ok(sent >= 12 && sent < 12 + 5, `${sent}`)
      check.same(tally.delivered, sent, 'pushes in flight are in the ledger')
      check.same(
        await setup.report(id),
        report('sending', { recipients: 30, pending: 30 - sent, delivered: sent }),
      )
      const second = setup.reviewer()
      await second.reviewed()
      check.same(everybodyOnce(first, second), range(0, 30))
    },
  )

  on('a review that is stopped while it checks eligibility starts no pushes', async (check, setup) => {
    await setup.readers(0, 5)
    const id = await setup.notification(1)
    const stop = { aborted: false }
    const reviewer = setup.reviewer({
      signal: stop,
      deliveries: {
        checkEligibility: (claim, recipients, now) => {
          stop.aborted = true
          return setup.deliveries.checkEligibility(claim, recipients, now)
        },
      },
    })
    await reviewer.reviewed()
    check.same(reviewer.pushes(), [])
    check.same(await setup.report(id), report('sending', { recipients: 5, pending: 5 }))
  })

  on('a review that is stopped before it starts does nothing', async (check, setup) => {
    await setup.readers(0, 1)
    const id = await setup.notification(1)
    const reviewer = setup.reviewer({ signal: { aborted: true } })
    check.same((await reviewer.reviewed()).started, 0)
    check.same(await setup.report(id), report('scheduled', {}))
  })

  on('G5: only pushes in flight when the process is killed are sent twice', async (check, setup) => {
    await setup.readers(0, 30)
    const id = await setup.notification(1)
    let answers = 12
    const asked = Promise.withResolvers<void>()
    const life = mortal(setup.deliveries)
    const first = setup.reviewer({
      window: 5,
      deliveries: life.deliveries,
      script: (push) => {
        answers -= 1
        if (answers >= 0) return slowly(push)
        asked.resolve()
        return new Promise(() => {})
      },
    })
    void first.review()
    await asked.promise
    await life.kill()
    const second = setup.reviewer()
    await second.reviewed()
    check.same(second.pushes(), [], 'the lease is still valid')
    setup.clock.advance(LEASE)
    await second.reviewed()
    const all = everybodyOnce(first, second)
    check.same([...new Set(all)], range(0, 30), 'every device gets a push')
    check.ok(all.length - 30 <= 5, `${all.length - 30} were sent twice`)
    check.same(await setup.report(id), report('sent', { recipients: 30, delivered: 30 }))
  })

  for (const [name, steps] of [
    ['forward', [DAY, 2 * DAY]],
    ['back', [-DAY, -2 * DAY]],
    ['forward and back', [DAY, 0]],
    ['back and forward', [-DAY, 0]],
  ] as const)
    on(
      `G5: a clock that jumps ${name} by a day, between or during reviews, duplicates and loses nothing`,
      async (check, setup) => {
        await setup.readers(0, 40)
        await setup.readers(40, 46, 'fr')
        const id = await setup.notification(1)
        await setup.notification(2, { lang: 'fr' })
        let sent = 0
        const stop = { aborted: false }
        const options = {
          window: 4,
          policy: { notificationLife: 10 * DAY },
          signal: stop,
          script: (push: Push) => {
            sent += 1
            if (sent === 5) setup.clock.set(sampleMoment(steps[0]))
            if (sent === 9) setup.clock.set(sampleMoment(steps[1]))
            if (sent === 25) stop.aborted = true
            return slowly(push)
          },
        }
        const first = setup.reviewer(options)
        await first.reviewed()
        setup.clock.set(sampleMoment(steps[0]))
        stop.aborted = false
        const second = setup.reviewer(options)
        await second.reviewed()
        setup.clock.set(sampleMoment(steps[1]))
        await second.reviewed()
        check.same(everybodyOnce(first, second), range(0, 46))
        check.same(await setup.report(id), report('sent', { recipients: 40, delivered: 40 }))
      },
    )

  on(
    'G5: a review does not take its own batch for abandoned, even if the clock jumps',
    async (check, setup) => {
      await setup.readers(0, 3)
      await setup.readers(3, 4, 'fr')
      await setup.notification(1)
      await setup.notification(2, { lang: 'fr' })
      const askedAgain = Promise.withResolvers<void>()
      let claims = 0
      const reviewer = setup.reviewer({
        policy: { notificationLife: 10 * DAY },
        deliveries: {
          claim: (request) => async () => {
            const batch = await setup.deliveries.claim(request)()
            claims += 1
            if (claims === 3) askedAgain.resolve()
            return batch
          },
        },
        script: async (push) => {
          if (push.message.data.lang === 'en') await askedAgain.promise
          else setup.clock.set(sampleMoment(DAY))
          return DELIVERED
        },
      })
      await reviewer.reviewed()
      check.same(everybodyOnce(reviewer), range(0, 4))
    },
  )

  on('G5: a batch claimed by a clock a day ahead is not lost', async (check, setup) => {
    await setup.readers(0, 10)
    const id = await setup.notification(1)
    setup.clock.set(sampleMoment(DAY))
    await setup.start()
    await setup.claimed({ now: setup.clock.now(), most: 4 })
    setup.clock.set(sampleMoment(0))
    const reviewer = setup.reviewer()
    await reviewer.reviewed()
    check.same(everybodyOnce(reviewer), range(4, 10), 'its holder may be alive (I9)')
    setup.clock.advance(LEASE)
    await reviewer.reviewed()
    check.same(everybodyOnce(reviewer), range(0, 10))
    check.same((await setup.report(id))?.state, 'sent')
  })
}
