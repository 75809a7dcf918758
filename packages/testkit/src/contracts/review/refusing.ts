import { type DeliveryResult, LEASE, MOST_ATTEMPTS } from '@almoner/domain/delivery'
import { DELIVERED, retry } from '@almoner/domain/notifications'
import { type Deliveries, unavailable } from '@almoner/domain/ports'
import { MINUTE, type NotificationId, SECOND } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { done, sampleEmail, sampleMoment } from '../samples.ts'
import { type ReviewFixture, type ReviewTest, range, readerOf, report, sorted } from './fixture.ts'

type Which = (id: NotificationId, results: ReadonlyArray<DeliveryResult>) => boolean

/** A `record` that throws, as with a violated constraint, for the devices that `refuses` selects. */
const refusing =
  ({ deliveries }: Pick<ReviewFixture, 'deliveries'>, refuses: Which): Deliveries['record'] =>
  (claim, results, at) => {
    if (refuses(claim.notificationId, results)) throw new Error('a constraint is violated')
    return deliveries.record(claim, results, at)
  }

/** Two notifications to the same readers, and the device of one of them. */
const begun = async (setup: ReviewFixture, readers: number) => {
  await setup.readers(0, readers)
  const ids = [await setup.notification(1), await setup.notification(2)] as const
  const device = async (n: number) => {
    await setup.start()
    const batch = await setup.claimed()
    await setup.deliveries.releaseClaim(batch.claim)()
    const found = batch.recipients[n]
    if (found === undefined) throw new Error('there is no such reader')
    return found.deviceId
  }
  return { ids, device }
}

/** Results that the store refuses to record (G10). */
export const refusals = (on: ReviewTest): void => {
  on(
    'G10: a batch whose results are rejected once is recorded at the next attempt, and sent once',
    async (check, setup) => {
      const { ids } = await begun(setup, 5)
      let asked = 0
      const record = refusing(setup, () => {
        asked += 1
        return asked === 1
      })
      const reviewer = setup.reviewer({ deliveries: { record } })
      const { tally, setAside } = await reviewer.reviewed()
      check.same([tally.delivered, setAside], [10, []])
      check.same(sorted(reviewer.sentTo()), sorted([...range(0, 5), ...range(0, 5)]))
      for (const id of ids)
        check.same(await setup.report(id), report('sent', { recipients: 5, delivered: 5 }))
    },
  )

  on(
    'G10: only results that the store rejects are set aside as failed; other devices and notifications continue',
    async (check, setup) => {
      const { ids, device } = await begun(setup, 20)
      const bad = await device(7)
      const record = refusing(setup, (id, results) =>
        results.some((result) => id === ids[0] && result.deviceId === bad && result.kind === 'responded'),
      )
      const reviewer = setup.reviewer({ deliveries: { record } })
      const { tally, setAside } = await reviewer.reviewed()
      check.same([tally.delivered, tally.failed], [39, 1])
      check.same(
        setAside.map(({ notificationId, devices, cause }) => [notificationId, devices, `${cause}`]),
        [[ids[0], 1, 'Error: a constraint is violated']],
      )
      check.same(sorted(reviewer.sentTo()), sorted([...range(0, 20), ...range(0, 20)]), 'each is sent once')
      const expected = report('partial', { recipients: 20, delivered: 19, failed: 1 })
      check.same(await setup.report(ids[0]), expected, 'the delivery report shows it')
      check.same(await setup.report(ids[1]), report('sent', { recipients: 20, delivered: 20 }))
      setup.clock.advance(LEASE)
      check.same((await setup.reviewer().reviewed()).tally.delivered, 0, 'nothing is sent again')
    },
  )

  on(
    'G10: a device whose results cannot be recorded is set aside at the end of its batch',
    async (check, setup) => {
      const { ids, device } = await begun(setup, 8)
      const bad = await device(3)
      const record = refusing(
        setup,
        (id, results) => id === ids[0] && results.some((result) => result.deviceId === bad),
      )
      const reviewer = setup.reviewer({ deliveries: { record } })
      const { tally, setAside } = await reviewer.reviewed()
      check.same([tally.delivered, tally.failed, setAside[0]?.devices], [15, 1, 1])
      check.same(await setup.report(ids[0]), report('partial', { recipients: 8, delivered: 7, failed: 1 }))
      check.same(await setup.report(ids[1]), report('sent', { recipients: 8, delivered: 8 }))
      setup.clock.advance(LEASE)
      check.same((await setup.reviewer().reviewed()).tally.delivered, 0)
    },
  )

  on(
    'G10: a batch of which no result can be recorded fails as a whole and blocks nothing',
    async (check, setup) => {
      const { ids } = await begun(setup, 6)
      const record = refusing(setup, (id) => id === ids[0])
      const reviewer = setup.reviewer({ deliveries: { record } })
      const { tally, setAside } = await reviewer.reviewed()
      check.same([tally.delivered, tally.failed, setAside[0]?.devices], [6, 6, 6])
      check.same(await setup.report(ids[0]), report('failed', { recipients: 6, failed: 6 }))
      check.same(await setup.report(ids[1]), report('sent', { recipients: 6, delivered: 6 }))
      setup.clock.advance(LEASE)
      const second = setup.reviewer()
      await second.reviewed()
      check.same(second.sentTo(), [])
    },
  )

  on(
    'G10: a batch that cannot be set aside is left to a later review and blocks nothing',
    async (check, setup) => {
      const { ids } = await begun(setup, 4)
      const record = refusing(setup, (id) => id === ids[0])
      const setAside = () => {
        throw new Error('nothing can be written')
      }
      const reviewer = setup.reviewer({ deliveries: { record, setAside } })
      const reviewed = await reviewer.reviewed()
      check.same([reviewed.tally.delivered, reviewed.setAside[0]?.devices], [4, 0])
      check.same(
        sorted(reviewer.sentTo()),
        sorted([...range(0, 4), ...range(0, 4)]),
        'this review sends it once',
      )
      check.same(await setup.report(ids[1]), report('sent', { recipients: 4, delivered: 4 }))
      check.same(await setup.report(ids[0]), report('sending', { recipients: 4, pending: 4 }))
    },
  )

  on(
    'G10: an outage while a batch is split or set aside ends the review as an outage',
    async (check, setup) => {
      const { ids } = await begun(setup, 4)
      let refused = 0
      const record: Deliveries['record'] = () => {
        refused += 1
        if (refused < 5) throw new Error('a constraint is violated')
        return async () => E.left(unavailable('out of order'))
      }
      const first = setup.reviewer({ deliveries: { record } })
      check.same(await first.review(), E.left(unavailable('out of order')))
      setup.clock.advance(LEASE)
      await setup.reviewer().reviewed()
      for (const id of ids) check.same((await setup.report(id))?.state, 'sent')
    },
  )
}

/** Retries. */
export const retrying = (on: ReviewTest): void => {
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
