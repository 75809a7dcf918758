import { ANSWER_WITHIN, LEASE } from '@almoner/domain/delivery'
import { DELIVERED } from '@almoner/domain/notifications'
import { type Deliveries, outcomeUnknown, unavailable } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { sampleMoment } from '../samples.ts'
import { type ReviewFixture, type ReviewTest, range, report, slowly, sorted } from './fixture.ts'

const OUTAGE = unavailable('out of order')

type Record = Deliveries['record']

/** Deliveries of which some methods fail at some times. */
const failing = (
  { deliveries }: Pick<ReviewFixture, 'deliveries'>,
  names: ReadonlyArray<keyof Deliveries>,
  isDown: () => boolean,
): Partial<Deliveries> =>
  Object.fromEntries(
    names.map((name) => [
      name,
      (...args: ReadonlyArray<never>) =>
        async () =>
          isDown()
            ? E.left(OUTAGE)
            : (deliveries[name] as (...args: ReadonlyArray<never>) => TE.TaskEither<unknown, unknown>)(
                ...args,
              )(),
    ]),
  )

/** A store that is unavailable for a while. */
export const trouble = (on: ReviewTest): void => {
  on('G5: while results cannot be recorded for a moment, nothing is sent twice', async (check, setup) => {
    await setup.readers(0, 30)
    const id = await setup.notification(1)
    let asked = 0
    const isDown = () => {
      asked += 1
      return asked % 5 !== 0
    }
    const reviewer = setup.reviewer({ window: 4, deliveries: failing(setup, ['record'], isDown) })
    check.same((await reviewer.reviewed()).tally.delivered, 30)
    check.same(sorted(reviewer.sentTo()), range(0, 30))
    check.ok(reviewer.mostUnrecorded() <= 4)
    check.same(await setup.report(id), report('sent', { recipients: 30, delivered: 30 }))
  })

  on(
    'G5, I5: an outcome that was recorded counts once, even if the response was lost',
    async (check, setup) => {
      await setup.readers(0, 10)
      const id = await setup.notification(1)
      let asked = 0
      const record: Record = (claim, results, at) => async () => {
        const result = await setup.deliveries.record(claim, results, at)()
        asked += 1
        return asked % 2 === 1 ? E.left(outcomeUnknown('cut off')) : result
      }
      const reviewer = setup.reviewer({ window: 3, deliveries: { record } })
      check.same((await reviewer.reviewed()).tally.delivered, 10)
      check.same(reviewer.sentTo(), range(0, 10))
      check.same(await setup.report(id), report('sent', { recipients: 10, delivered: 10 }))
    },
  )

  const names = ['record', 'checkEligibility', 'releaseClaim', 'start', 'claim', 'backlog'] as const
  for (const [name, down] of [
    ['outcomes cannot be written', ['record']],
    ['nothing works', names],
  ] as const)
    on(
      `G5: when ${name} for long, only pushes in flight are sent twice, and nothing is lost`,
      async (check, setup) => {
        await setup.readers(0, 40)
        const ids = [await setup.notification(1), await setup.notification(2)]
        let isDown = false
        const first = setup.reviewer({
          window: 6,
          deliveries: failing(setup, down, () => isDown),
          script: () => {
            isDown = first.pushes().length > 20
            return DELIVERED
          },
        })
        check.same(await first.review(), E.left(OUTAGE))
        check.ok(first.mostUnrecorded() <= 6, `${first.mostUnrecorded()} without an outcome`)
        isDown = false
        const second = setup.reviewer()
        await second.reviewed()
        // It watches what the first one holds for the length of a lease (I9).
        setup.clock.advance(LEASE)
        await second.reviewed()
        const all = [...first.sentTo(), ...second.sentTo()]
        check.same([...new Set(sorted(all))], range(0, 40))
        check.ok(all.length - 80 <= 6, `${all.length - 80} were sent twice`)
        for (const id of ids)
          check.same(await setup.report(id), report('sent', { recipients: 40, delivered: 40 }))
      },
    )

  on('G5: a batch with unrecorded results is not finished', async (check, setup) => {
    await setup.readers(0, 6)
    const id = await setup.notification(1)
    let asked = 0
    const isDown = () => {
      asked += 1
      return asked <= 5
    }
    const first = setup.reviewer({ deliveries: failing(setup, ['record'], isDown), script: slowly })
    check.same(await first.review(), E.left(OUTAGE))
    check.same((await setup.report(id))?.state, 'sending')
    setup.clock.advance(LEASE)
    await setup.reviewer().reviewed()
    check.same(await setup.report(id), report('sent', { recipients: 6, delivered: 6 }))
  })

  on(
    'G5: if eligibility cannot be checked, results of earlier pushes are still recorded',
    async (check, setup) => {
      await setup.readers(0, 30)
      const id = await setup.notification(1)
      let isDown = false
      const first = setup.reviewer({
        window: 5,
        deliveries: failing(setup, ['checkEligibility'], () => isDown),
        script: (push) => {
          isDown = first.pushes().length > 10
          return slowly(push)
        },
      })
      check.same(await first.review(), E.left(OUTAGE))
      isDown = false
      const second = setup.reviewer()
      await second.reviewed()
      check.same(sorted([...first.sentTo(), ...second.sentTo()]), range(0, 30), 'no lease delays it')
      check.same(await setup.report(id), report('sent', { recipients: 30, delivered: 30 }))
    },
  )

  on(
    'G5: a batch that waited long for the in-flight limit still has its claim at the end',
    async (check, setup) => {
      await setup.readers(0, 1)
      for (const n of [1, 2]) await setup.notification(n)
      const other = setup.reviewer()
      const bothClaimed = Promise.withResolvers<void>()
      let claims = 0
      const claim: Deliveries['claim'] = (request) => async () => {
        const claimed = await setup.deliveries.claim(request)()
        claims += 1
        if (claims === 2) bothClaimed.resolve()
        return claimed
      }
      const tried = new Map<string, number>()
      const record: Record = (claim, results, at) => async () => {
        const tries = tried.get(claim.notificationId) ?? 0
        if (results.length > 0) tried.set(claim.notificationId, tries + 1)
        if (results.length > 0 && tries < 4) return E.left(OUTAGE)
        await other.reviewed()
        return setup.deliveries.record(claim, results, at)()
      }
      const script = async () => {
        await bothClaimed.promise
        setup.clock.advance(ANSWER_WITHIN)
        return DELIVERED
      }
      const first = setup.reviewer({ window: 1, deliveries: { claim, record }, script })
      await first.reviewed()
      check.same([first.sentTo(), other.sentTo()], [[0, 0], []])
    },
  )

  for (const name of ['start', 'claim'] as const)
    on(
      `G4: a review that cannot ${name === 'claim' ? 'claim' : 'start notifications'} reports it, and the next one continues`,
      async (check, setup) => {
        await setup.readers(0, 3)
        const id = await setup.notification(1)
        const broken = setup.reviewer({ deliveries: { [name]: () => TE.left(OUTAGE) } })
        check.same(await broken.review(), E.left(OUTAGE))
        check.same(broken.pushes(), [])
        setup.clock.set(sampleMoment(60))
        await setup.reviewer().reviewed()
        check.same(await setup.report(id), report('sent', { recipients: 3, delivered: 3 }))
      },
    )

  on('G5: started notifications continue while no new ones can be started', async (check, setup) => {
    await setup.readers(0, 3)
    const id = await setup.notification(1)
    await setup.start()
    const due = await setup.notification(2)
    let starts = 0
    const start = () => {
      starts += 1
      return TE.left(OUTAGE)
    }
    const blocked = setup.reviewer({ deliveries: { start } })
    check.same(await blocked.review(), E.left(OUTAGE), 'it reports that a notification could not be started')
    check.same(await setup.report(id), report('sent', { recipients: 3, delivered: 3 }))
    check.same((await setup.report(due))?.state, 'scheduled')
    check.same(starts, 1, 'a start is not retried before each batch, because attaching devices waits for it')
    await setup.reviewer().reviewed()
    check.same(await setup.report(due), report('sent', { recipients: 3, delivered: 3 }))
  })

  for (const name of ['checkEligibility', 'claim'] as const)
    on(`a bug in ${name} ends the review after all its work has stopped`, async (check, setup) => {
      await setup.readers(0, 700)
      await setup.notification(1)
      let asked = 0
      const broken = (...args: ReadonlyArray<never>) => {
        asked += 1
        if (asked === 2) throw new Error('a bug')
        return (setup.deliveries[name] as (...args: ReadonlyArray<never>) => TE.TaskEither<unknown, unknown>)(
          ...args,
        )
      }
      const reviewer = setup.reviewer({ window: 20, deliveries: { [name]: broken }, script: slowly })
      const thrown = await reviewer.review().then(
        () => undefined,
        (bug: unknown) => bug,
      )
      check.same(thrown instanceof Error && thrown.message, 'a bug')
      const sent = reviewer.pushes().length
      // Otherwise a second review would overlap with the rest of the first one.
      for (let result = 0; result < 100; result += 1) await Promise.resolve()
      check.same(reviewer.pushes().length, sent)
      check.ok(sent < 700)
      check.ok(reviewer.mostUnrecorded() <= 20)
    })
}
