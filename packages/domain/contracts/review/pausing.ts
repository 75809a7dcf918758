import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  addMillis,
  DELIVERED,
  type DeviceToken,
  FAULT_PAUSE,
  MINUTE,
  type Provider,
  type Push,
  SAMPLE_WINDOW,
  senderError,
  TOO_MANY_DEAD,
  UNREGISTERED,
} from '../../src/all.ts'
import { done } from '../samples.ts'
import { sampleDevice } from '../samples-people.ts'
import { type OnStage, type ReviewFixture, range, report, sorted } from './fixture.ts'

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

/** Tests of reviews while a provider is paused (G5). */
export const pausing = (on: OnStage): void => {
  on('G5: after a sender error only devices of that provider wait', async (check, setup) => {
    await setup.readers(0, 20)
    await applePeople(setup, 20, 40)
    const id = await setup.notification(1)
    let isWrong = true
    const reviewer = setup.reviewer({
      window: 4,
      script: (push) => (isWrong && !isApple(push) ? senderError('a wrong key') : DELIVERED),
    })
    const { tally, deferred: held, paused } = await reviewer.reviewed()
    check.same([tally.delivered, held], [20, 20])
    check.same(
      paused.map(({ provider, reason, since, until }) => ({ provider, reason, until, since })),
      paused.map(({ since }) => ({
        provider: 'fcm',
        reason: 'a wrong key',
        until: O.some(addMillis(since, FAULT_PAUSE)),
        since,
      })),
    )
    check.same(paused.length, 1)
    check.ok(reviewer.pushes().filter((push) => !isApple(push)).length <= 4, 'it gets no more pushes')
    check.same(await setup.report(id), report('sending', { recipients: 40, pending: 20, delivered: 20 }))
    isWrong = false
    const before = reviewer.pushes().length
    await reviewer.reviewed()
    check.same(reviewer.pushes().length, before)
    setup.clock.advance(FAULT_PAUSE)
    check.same((await reviewer.reviewed()).tally.delivered, 20)
    check.same(await setup.report(id), report('sent', { recipients: 40, delivered: 40 }))
  })

  on('G5: sender errors do not use up a device’s attempts', async (check, setup) => {
    await setup.readers(0, 1)
    const id = await setup.notification(1)
    const reviewer = setup.reviewer({
      script: () => senderError('no'),
      policy: { notificationLife: 86_400 },
    })
    for (let review = 0; review < 60; review += 1) {
      await reviewer.reviewed()
      setup.clock.advance(FAULT_PAUSE)
    }
    check.same(reviewer.pushes().length, 60)
    check.same((await setup.report(id))?.state, 'sending')
  })

  on('G5: devices are not deferred beyond the notification’s life', async (check, setup) => {
    await setup.readers(0, 3)
    const id = await setup.notification(1)
    const reviewer = setup.reviewer({ script: () => senderError('no'), policy: { notificationLife: 200 } })
    await reviewer.reviewed()
    setup.clock.advance(200_000)
    await reviewer.reviewed()
    check.same(await setup.report(id), report('failed', { recipients: 3, failed: 3 }))
  })

  on('G5: a wrong key detaches no devices, and all get their push later', async (check, setup) => {
    const everybody = SAMPLE_WINDOW * 3
    await setup.readers(0, everybody)
    const id = await setup.notification(1)
    let isWrong = true
    const script = () => (isWrong ? UNREGISTERED : DELIVERED)
    const reviewer = setup.reviewer({ window: WINDOW, script })
    const { tally, deferred: held, paused } = await reviewer.reviewed()
    check.same(
      paused.map(({ provider, reason, until }) => ({ provider, reason, until })),
      [{ provider: 'fcm', reason: TOO_MANY_DEAD, until: O.none }],
    )
    check.ok(tally.dead < SAMPLE_WINDOW, `${tally.dead} were detached before there were enough results`)
    check.same(tally.dead + held, everybody)
    check.ok(reviewer.pushes().length < SAMPLE_WINDOW + WINDOW, 'nothing is sent any more')
    check.same((await setup.report(id))?.pending, held)
    isWrong = false
    const other = setup.reviewer({ script })
    setup.clock.advance(FAULT_PAUSE * 10)
    await other.reviewed()
    check.same(other.pushes(), [], 'nor by another process')
    await done(setup.deadDevices.restore({ provider: O.some('fcm'), since: O.none }))
    await resume(setup)
    check.same((await other.reviewed()).tally.delivered, held)
    check.same(
      await setup.report(id),
      report('sent', { recipients: everybody, delivered: held, dead: tally.dead }),
    )
    const next = await setup.notification(2)
    await reviewer.reviewed()
    check.same((await setup.report(next))?.delivered, everybody)
  })

  on('G4: a deferred device is skipped if its user has unsubscribed meanwhile', async (check, setup) => {
    await setup.readers(0, 2)
    const id = await setup.notification(1)
    let isWrong = true
    const reviewer = setup.reviewer({ script: () => (isWrong ? senderError('no') : DELIVERED) })
    await reviewer.reviewed()
    isWrong = false
    await done(setup.users.prefer(sampleDevice(0).email, { subscribed: false }))
    await resume(setup)
    await reviewer.reviewed()
    check.same(await setup.report(id), report('sent', { recipients: 2, delivered: 1, skipped: 1 }))
  })

  on('G5: a notification that starts during a pause is deferred as well', async (check, setup) => {
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
    await reviewer.reviewed()
    for (const id of [first, second])
      check.same(await setup.report(id), report('sent', { recipients: 30, delivered: 30 }))
    check.same(sorted(reviewer.sentTo().slice(before)), sorted([...range(0, 30), ...range(0, 30)]))
  })

  const turnsOut = (reviewer: ReturnType<ReviewFixture['reviewer']>) => ({
    lastApple: reviewer.pushes().findLastIndex(isApple),
    lastGoogle: reviewer.pushes().findLastIndex((push) => !isApple(push)),
  })

  for (const [how, end] of [
    ['its pause has ended', async (setup: ReviewFixture) => void setup.clock.advance(FAULT_PAUSE)],
    ['push resume', resume],
  ] as const)
    on(`G5: after ${how}, a running review sends the deferred pushes`, async (check, setup) => {
      // More than one batch, so that the review claims again after the pause.
      const everybody = 1400
      await setup.readers(0, 20)
      await applePeople(setup, 20, everybody)
      const id = await setup.notification(1)
      let isWrong = true
      let sent = 0
      const reviewer = setup.reviewer({
        window: 50,
        script: async (push) => {
          sent += 1
          if (sent === 400) {
            isWrong = false
            await end(setup)
            setup.clock.advance(MINUTE)
          }
          return isWrong && !isApple(push) ? senderError('a wrong key') : DELIVERED
        },
      })
      await reviewer.reviewed()
      check.same(await setup.report(id), report('sent', { recipients: everybody, delivered: everybody }))
      const { lastApple, lastGoogle } = turnsOut(reviewer)
      check.ok(lastGoogle < lastApple, `${lastGoogle} of ${lastApple}: before the end of the review`)
    })

  on(
    'G5: if sender errors continue, each pause is followed by one window of the backlog',
    async (check, setup) => {
      const everybody = 600
      await setup.readers(0, everybody)
      const id = await setup.notification(1)
      let isWrong = true
      const reviewer = setup.reviewer({
        window: WINDOW,
        script: () => (isWrong ? senderError('a wrong key') : DELIVERED),
      })
      check.same((await reviewer.reviewed()).deferred, everybody)
      for (const wait of [FAULT_PAUSE, FAULT_PAUSE, FAULT_PAUSE * 4]) {
        setup.clock.advance(wait)
        check.same((await reviewer.reviewed()).deferred, WINDOW, 'one window is deferred again')
      }
      await resume(setup)
      check.same((await reviewer.reviewed()).deferred, WINDOW, 'resume releases one window too')
      isWrong = false
      setup.clock.advance(FAULT_PAUSE)
      check.same((await reviewer.reviewed()).tally.delivered, everybody, 'all after a success')
      check.same(await setup.report(id), report('sent', { recipients: everybody, delivered: everybody }))
    },
  )

  on('G5: skipped devices in the first window do not delay the rest', async (check, setup) => {
    await setup.readers(0, 20)
    await setup.notification(1)
    let isWrong = true
    const reviewer = setup.reviewer({
      window: 5,
      script: () => (isWrong ? senderError('a wrong key') : DELIVERED),
    })
    await reviewer.reviewed()
    isWrong = false
    for (let n = 0; n < 19; n += 1)
      await done(setup.users.prefer(sampleDevice(n).email, { subscribed: false }))
    setup.clock.advance(FAULT_PAUSE)
    const { tally } = await reviewer.reviewed()
    check.same([tally.skipped, tally.delivered], [19, 1])
  })

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
