import { DELIVERED, holdBack, retry } from '@almoner/domain/notifications'
import { elapsed } from '@almoner/domain/ports'
import { MINUTE, SECOND } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { sampleMoment } from '../samples.ts'
import { type OnStage, range, report, sorted } from './fixture.ts'

const DAY = 86_400

/** Reviews whose clock is set meanwhile (I9). */
export const stepping = (on: OnStage): void => {
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
