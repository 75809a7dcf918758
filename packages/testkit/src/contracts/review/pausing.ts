import { SAMPLE_WINDOW, TOO_MANY_DEAD } from '@almoner/domain/delivery'
import {
  DELIVERED,
  holdBack,
  type Push,
  senderError,
  UNANSWERED,
  UNREGISTERED,
} from '@almoner/domain/notifications'
import type { DeviceToken, Provider } from '@almoner/domain/people'
import { MINUTE, SECOND } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { FCM } from '../delivery/fixture.ts'
import { done, sampleDevice } from '../samples.ts'
import { type ReviewFixture, type ReviewTest, range, report, sorted } from './fixture.ts'

const WINDOW = 100

/** Readers with APNs devices, in addition to the sample readers with FCM devices. */
const applePeople = async (setup: ReviewFixture, from: number, to: number): Promise<void> => {
  for (let n = from; n < to; n += 1)
    await done(
      setup.devices.attach(sampleDevice(n, { kind: 'apns', token: `apns:token-${n}` as DeviceToken })),
    )
}

const isApple = ({ destination }: Push): boolean => destination.provider === 'apns'

const resume = (setup: ReviewFixture) =>
  done(setup.providers.resume('fcm', { now: setup.clock.now(), overrideUntil: O.none }))

/** Reviews once for each of these moments, in seconds from the last. */
const reviewAfter = async (
  setup: ReviewFixture,
  reviewer: ReturnType<ReviewFixture['reviewer']>,
  seconds: ReadonlyArray<number>,
): Promise<void> => {
  for (const wait of seconds) {
    setup.clock.advance(wait * SECOND)
    await reviewer.reviewed()
  }
}

/** The seconds between probes. */
const PROBES = [2, 4, 8, 16, 32, 60, 60, 60]

/** Tests of reviews while an origin is closed (G5, G15). */
export const pausing = (on: ReviewTest): void => {
  for (const [name, answer] of [
    ['refuses the sender', senderError('a wrong key')],
    ['gives no answer', UNANSWERED],
  ] as const)
    on(
      `G15: while an origin ${name}, only its own devices wait, and one at a time is sent to`,
      async (check, setup) => {
        await setup.readers(0, 40)
        await applePeople(setup, 40, 60)
        const id = await setup.notification(1)
        let isWrong = true
        const reviewer = setup.reviewer({
          window: 20,
          script: (push) => (isWrong && !isApple(push) ? answer : DELIVERED),
        })
        const { tally, paused } = await reviewer.reviewed()
        check.same([tally.delivered, paused.length, paused[0]?.origin], [20, 1, FCM])
        const before = reviewer.pushes().length
        check.ok(before - 20 <= 2 * 5, `${before - 20} pushes before it is probed`)
        await reviewAfter(setup, reviewer, PROBES)
        check.same(reviewer.pushes().length - before, PROBES.length, 'one push for each probe')
        check.same(await setup.report(id), report('sending', { recipients: 60, pending: 40, delivered: 20 }))
        isWrong = false
        await reviewAfter(setup, reviewer, [60])
        check.same(await setup.report(id), report('sent', { recipients: 60, delivered: 60 }))
      },
    )

  on('G15: waiting for an origin does not use up a device’s attempts', async (check, setup) => {
    await setup.readers(0, 6)
    const id = await setup.notification(1)
    let isDown = true
    const reviewer = setup.reviewer({ script: () => (isDown ? UNANSWERED : DELIVERED) })
    await reviewer.reviewed()
    await reviewAfter(setup, reviewer, [...PROBES, ...Array<number>(60).fill(60)])
    isDown = false
    await reviewAfter(setup, reviewer, [60])
    check.same(await setup.report(id), report('sent', { recipients: 6, delivered: 6 }))
  })

  on('G5: devices do not wait beyond the notification’s life', async (check, setup) => {
    await setup.readers(0, 7)
    const id = await setup.notification(1)
    const reviewer = setup.reviewer({ script: () => senderError('no'), policy: { notificationLife: 200 } })
    await reviewer.reviewed()
    setup.clock.advance(200_000)
    await reviewer.reviewed()
    check.same(await setup.report(id), report('failed', { recipients: 7, failed: 7 }))
  })

  on('G5: a wrong key detaches no devices, and all get their push later', async (check, setup) => {
    const allUsers = SAMPLE_WINDOW * 3
    await setup.readers(0, allUsers)
    const id = await setup.notification(1)
    let isWrong = true
    const script = () => (isWrong ? UNREGISTERED : DELIVERED)
    const reviewer = setup.reviewer({ window: WINDOW, script })
    const { tally, deferred: held, paused } = await reviewer.reviewed()
    check.same(
      paused.map(({ origin, reason, until }) => ({ origin, reason, until })),
      [{ origin: FCM, reason: TOO_MANY_DEAD, until: O.none }],
    )
    check.ok(tally.dead < SAMPLE_WINDOW, `${tally.dead} were detached before there were enough results`)
    check.same(tally.dead + held, allUsers)
    check.ok(reviewer.pushes().length < SAMPLE_WINDOW + WINDOW, 'nothing is sent any more')
    check.same((await setup.report(id))?.pending, held)
    isWrong = false
    const other = setup.reviewer({ script })
    setup.clock.advance(60 * MINUTE)
    await other.reviewed()
    check.same(other.pushes(), [], 'nor by another process')
    await done(setup.deadDevices.restore({ provider: O.some('fcm'), since: O.none }))
    await resume(setup)
    check.same((await other.reviewed()).tally.delivered, held)
    check.same(
      await setup.report(id),
      report('sent', { recipients: allUsers, delivered: held, dead: tally.dead }),
    )
    const next = await setup.notification(2)
    await reviewer.reviewed()
    check.same((await setup.report(next))?.delivered, allUsers)
  })

  on(
    'G4: a device that waits for its origin is skipped if its user has unsubscribed meanwhile',
    async (check, setup) => {
      await setup.readers(0, 12)
      const id = await setup.notification(1)
      let isWrong = true
      const reviewer = setup.reviewer({ script: () => (isWrong ? senderError('no') : DELIVERED) })
      await reviewer.reviewed()
      isWrong = false
      await done(setup.users.prefer(sampleDevice(0).email, { subscribed: false }))
      await resume(setup)
      await reviewer.reviewed()
      check.same(await setup.report(id), report('sent', { recipients: 12, delivered: 11, skipped: 1 }))
    },
  )

  on('G15: a notification that starts while an origin is probed waits as well', async (check, setup) => {
    await setup.readers(0, 30)
    const first = await setup.notification(1)
    let isWrong = true
    const reviewer = setup.reviewer({ window: 7, script: () => (isWrong ? senderError('no') : DELIVERED) })
    await reviewer.reviewed()
    const second = await setup.notification(2)
    const before = reviewer.pushes().length
    await reviewer.reviewed()
    check.same(reviewer.pushes().length, before)
    isWrong = false
    await resume(setup)
    await reviewAfter(setup, reviewer, [0, 10])
    for (const id of [first, second])
      check.same(await setup.report(id), report('sent', { recipients: 30, delivered: 30 }))
    check.same(sorted(reviewer.sentTo().slice(before)), sorted([...range(0, 30), ...range(0, 30)]))
  })

  on(
    'G15: a running review sends to devices that waited as soon as their origin accepts',
    async (check, setup) => {
      const allUsers = 1400
      await setup.readers(0, 20)
      await applePeople(setup, 20, allUsers)
      const id = await setup.notification(1)
      let isWrong = true
      let sent = 0
      const reviewer = setup.reviewer({
        window: 50,
        script: async (push) => {
          sent += 1
          if (sent === 400) {
            isWrong = false
            setup.clock.advance(2 * SECOND)
          }
          return isWrong && !isApple(push) ? senderError('a wrong key') : DELIVERED
        },
      })
      await reviewer.reviewed()
      check.same(await setup.report(id), report('sent', { recipients: allUsers, delivered: allUsers }))
      const lastApple = reviewer.pushes().findLastIndex(isApple)
      const lastGoogle = reviewer.pushes().findLastIndex((push) => !isApple(push))
      check.ok(lastGoogle < lastApple, `${lastGoogle} of ${lastApple}: before the end of the review`)
    },
  )

  on('G15: skipped devices delay the probes of their origin little', async (check, setup) => {
    await setup.readers(0, 20)
    await setup.notification(1)
    let isWrong = true
    const reviewer = setup.reviewer({ window: 5, script: () => (isWrong ? senderError('no') : DELIVERED) })
    await reviewer.reviewed()
    isWrong = false
    for (let n = 0; n < 19; n += 1)
      await done(setup.users.prefer(sampleDevice(n).email, { subscribed: false }))
    await reviewAfter(setup, reviewer, Array<number>(20).fill(2))
    check.same(reviewer.pushes().length <= 5 + 1, true)
    check.same((await done(setup.deliveries.backlog())).sending, 0)
  })

  on(
    'G15: an origin that asks us to wait is not sent to before, and gets all that waits then',
    async (check, setup) => {
      await setup.readers(0, 60)
      await applePeople(setup, 60, 80)
      const id = await setup.notification(1)
      let isBusy = true
      const reviewer = setup.reviewer({
        window: 20,
        script: (push) => (isBusy && !isApple(push) ? holdBack(O.some(90 * SECOND), 'HTTP 503') : DELIVERED),
      })
      const { tally, paused } = await reviewer.reviewed()
      check.same([tally.delivered, paused], [20, []])
      isBusy = false
      const before = reviewer.pushes().length
      check.ok(before <= 22, `${before - 20} pushes before the first answer`)
      await reviewAfter(setup, reviewer, [1, 60, 28])
      check.same(reviewer.pushes().length, before)
      await reviewAfter(setup, reviewer, [2])
      check.same(await setup.report(id), report('sent', { recipients: 80, delivered: 80 }))
    },
  )

  on('a process leaves devices of a missing provider to a process that has it', async (check, setup) => {
    await setup.readers(0, 3)
    await applePeople(setup, 3, 6)
    const id = await setup.notification(1)
    const apples: ReadonlySet<Provider> = new Set(['apns'])
    const google = setup.reviewer({ providers: ['fcm'], elsewhere: TE.right(apples) })
    const { tally, deferred: held } = await google.reviewed()
    check.same([tally.delivered, tally.failed, held], [3, 0, 3])
    check.same((await google.reviewed()).deferred, 0, 'nor are they deferred again')
    const apple = setup.reviewer({ providers: ['apns'] })
    check.same((await apple.reviewed()).tally.delivered, 3)
    check.same(await setup.report(id), report('sent', { recipients: 6, delivered: 6 }))
  })
}
