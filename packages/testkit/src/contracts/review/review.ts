import {
  DELIVERED,
  type Push,
  REFUSED,
  refused,
  retry,
  UNREGISTERED,
  unregistered,
} from '@almoner/domain/notifications'
import type { DeviceKind, DeviceToken } from '@almoner/domain/people'
import { addMillis, collect } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import type { ContractRunner } from '../runner.ts'
import { done, SAMPLE_MOMENT, sampleDevice, sampleEmail, sampleMoment } from '../samples.ts'
import {
  type ReviewStoreUnderTest,
  type ReviewTest,
  range,
  readerOf,
  report,
  reviewTests,
  sorted,
} from './fixture.ts'
import { pausing } from './pausing.ts'
import { recovering } from './recovering.ts'
import { refusals, retrying } from './refusing.ts'
import { scheduling, stepping } from './scheduling.ts'
import { together } from './together.ts'
import { trouble } from './trouble.ts'

const LIFE = 86_400

/** Which devices get a push, and their results. */
export const sending = (on: ReviewTest): void => {
  on(
    'G4: a device that is detached, moved or unsubscribed before its push is skipped',
    async (check, setup) => {
      await setup.readers(0, 7)
      const id = await setup.notification(1)
      const change = async () => {
        await done(setup.users.prefer(sampleEmail(1), { subscribed: false }))
        await done(setup.devices.detach(sampleEmail(2), sampleDevice(2)))
        await done(
          setup.devices.attach(sampleDevice(3, { email: sampleEmail(0), attachedAt: sampleMoment(1) })),
        )
        await done(setup.users.prefer(sampleEmail(4), { lang: 'fr' }))
        await done(setup.devices.attach(sampleDevice(9)))
        await done(setup.devices.attach(sampleDevice(10, { email: sampleEmail(0) })))
        return DELIVERED
      }
      const reviewer = setup.reviewer({
        window: 1,
        script: (push) => (readerOf(push) === 0 ? change() : DELIVERED),
      })
      await reviewer.reviewed()
      check.same(reviewer.sentTo(), [0, 4, 5, 6], 'a language changed after the start has no effect')
      check.same(await setup.report(id), report('sent', { recipients: 7, delivered: 4, skipped: 3 }))
    },
  )

  on(
    'G4: the new user of a moved device gets the next notification, but not this one',
    async (check, setup) => {
      await setup.readers(0, 2)
      await setup.notification(1)
      await setup.start()
      await done(
        setup.devices.attach(sampleDevice(0, { email: sampleEmail(1), attachedAt: sampleMoment(1) })),
      )
      const reviewer = setup.reviewer()
      await reviewer.reviewed()
      check.same(reviewer.sentTo(), [1])
      await setup.notification(2)
      await reviewer.reviewed()
      check.same(sorted(reviewer.sentTo()), [0, 1, 1])
    },
  )

  on(
    'G3: if a notification is deleted while it is sent, only pushes in flight are completed',
    async (check, setup) => {
      await setup.readers(0, 20)
      const id = await setup.notification(1)
      const other = await setup.notification(2)
      let removed: Promise<void> | undefined
      const reviewer = setup.reviewer({
        window: 6,
        script: async (push) => {
          if (push.notificationId === id) {
            removed ??= done(setup.notifications.remove(id))
            await removed
          }
          return DELIVERED
        },
      })
      await reviewer.reviewed()
      const sent = reviewer.pushes().filter(({ notificationId }) => notificationId === id)
      check.ok(sent.length <= 6, `${sent.length} were in flight`)
      check.same(await setup.report(id), undefined)
      check.same(await setup.report(other), report('sent', { recipients: 20, delivered: 20 }))
    },
  )

  on('G5: a push has its device, provider, end of life and message', async (check, setup) => {
    const tokens = ['fcm:one', 'f'.repeat(64), 'apns-sandbox:two', 'what is this']
    const kinds: ReadonlyArray<DeviceKind> = ['fcm', 'apns', 'apns', 'fcm']
    for (const [n, token] of tokens.entries())
      await done(
        setup.devices.attach(
          sampleDevice(n, {
            token: token as DeviceToken,
            kind: kinds[n] ?? 'fcm',
            attachedAt: sampleMoment(-n),
          }),
        ),
      )
    const id = await setup.notification(1)
    const reviewer = setup.reviewer()
    await reviewer.reviewed()
    check.same(
      reviewer.pushes().map(({ destination }) => destination),
      [
        { provider: 'fcm', form: 'token', token: 'one' },
        { provider: 'apns', sandbox: false, token: 'f'.repeat(64) },
        { provider: 'apns', sandbox: true, token: 'two' },
        { provider: 'fcm', form: 'token', token: 'what is this' },
      ],
      'one without a known form goes to its recorded provider',
    )
    for (const [n, push] of reviewer.pushes().entries()) {
      check.same(push.notificationId, id)
      check.same([push.attachedAt, push.endsAt], [sampleMoment(-n), sampleMoment(LIFE)])
      check.same([push.message.title, push.message.data.notificationId], ['Title 1 é 😀', id])
    }
    check.same(new Set(reviewer.pushes().map(({ deviceId }) => deviceId)).size, 4)
  })

  on(
    'G5: a device that its provider calls dead is detached, unless it was attached again',
    async (check, setup) => {
      await setup.readers(0, 4)
      const id = await setup.notification(1)
      const renewed = sampleDevice(1, { attachedAt: sampleMoment(1) })
      const answer = async (push: Push) => {
        if (readerOf(push) === 1) await done(setup.devices.attach(renewed))
        return readerOf(push) < 3 ? UNREGISTERED : DELIVERED
      }
      await setup.reviewer({ script: answer }).reviewed()
      check.same(await setup.report(id), report('sent', { recipients: 4, delivered: 1, dead: 3 }))
      const left = await Promise.all(range(0, 4).map((n) => collect(setup.devices.ofUser(sampleEmail(n)))))
      check.same(left.flat(), [renewed, sampleDevice(3)])
    },
  )

  on('G7: unroutable devices fail without a push, rejected ones after a push', async (check, setup) => {
    await setup.readers(0, 3)
    const unroutable = sampleDevice(3, { token: 'what is this' as DeviceToken, kind: 'unroutable' })
    await done(setup.devices.attach(unroutable))
    const [some, none] = [await setup.notification(1), await setup.notification(2)]
    const reviewer = setup.reviewer({
      script: ({ notificationId, ...push }) =>
        notificationId === none || readerOf({ notificationId, ...push }) === 0 ? REFUSED : DELIVERED,
    })
    const { answers } = await reviewer.reviewed()
    check.same(
      answers,
      [
        { provider: 'fcm', result: 'Refused', reason: '', count: 4 },
        { provider: 'unroutable', result: 'NotSent', reason: 'no rule recognises the token', count: 2 },
      ],
      'the reasons are listed by kind',
    )
    check.same(await setup.report(some), report('partial', { recipients: 4, delivered: 2, failed: 2 }))
    check.same(await setup.report(none), report('failed', { recipients: 4, failed: 4 }))
    check.same(sorted(reviewer.sentTo()), [0, 0, 1, 1, 2, 2])
  })

  on('G5: nothing is sent after the end of a notification’s life', async (check, setup) => {
    await setup.readers(0, 3)
    const id = await setup.notification(1)
    await setup.start()
    setup.clock.set(addMillis(SAMPLE_MOMENT, LIFE * 1000))
    const reviewer = setup.reviewer()
    check.same((await reviewer.reviewed()).answers, [
      { provider: 'fcm', result: 'NotSent', reason: 'the life of the notification was over', count: 3 },
    ])
    check.same(reviewer.pushes(), [])
    check.same(await setup.report(id), report('failed', { recipients: 3, failed: 3 }))
  })

  on('G5: a notification is sending until all its recipients have an outcome', async (check, setup) => {
    await setup.readers(0, 4)
    const id = await setup.notification(1)
    const seen: Array<unknown> = []
    const reviewer = setup.reviewer({
      window: 2,
      script: async (push) => {
        if (readerOf(push) === 2) seen.push(await setup.report(id))
        return DELIVERED
      },
    })
    await reviewer.reviewed()
    check.same(seen.length, 1)
    check.ok(JSON.stringify(seen).includes('"state":"sending","recipients":4,"pending":'))
    check.same((await setup.report(id))?.state, 'sent')
  })

  on('G5: 600 devices each get one push, batch by batch', async (check, setup) => {
    await setup.readers(0, 600)
    const id = await setup.notification(1)
    const reviewer = setup.reviewer()
    await reviewer.reviewed()
    check.same(sorted(reviewer.sentTo()), range(0, 600))
    check.same(await setup.report(id), report('sent', { recipients: 600, delivered: 600 }))
    check.ok(reviewer.mostUnrecorded() <= 100)
  })

  on(
    'the review lists the providers’ responses with their reasons, the most frequent first',
    async (check, setup) => {
      await setup.readers(0, 12)
      await setup.notification(1)
      const reviewer = setup.reviewer({
        window: 3,
        script: (push) => {
          const reader = readerOf(push)
          if (reader < 4) return unregistered('UNREGISTERED')
          if (reader < 7) return refused('too big')
          if (reader < 9) return retry(O.some(1000), 'UNAVAILABLE')
          return reader < 10 ? refused() : DELIVERED
        },
      })
      check.same((await reviewer.reviewed()).answers, [
        { provider: 'fcm', result: 'Unregistered', reason: 'UNREGISTERED', count: 4 },
        { provider: 'fcm', result: 'Refused', reason: 'too big', count: 3 },
        { provider: 'fcm', result: 'Retry', reason: 'UNAVAILABLE', count: 2 },
        { provider: 'fcm', result: 'Refused', reason: '', count: 1 },
      ])
    },
  )
}

export type { ReviewStoreUnderTest } from './fixture.ts'

/** Contract tests of reviews on a store: the real use case with the clock and providers of the test (G3, G4, G5). */
export const reviewContract = (runner: ContractRunner, make: () => Promise<ReviewStoreUnderTest>): void => {
  const on = reviewTests(runner, make)
  for (const part of [
    scheduling,
    sending,
    retrying,
    recovering,
    pausing,
    together,
    stepping,
    trouble,
    refusals,
  ])
    part(on)
}
