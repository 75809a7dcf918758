import { MOST_REFUSALS } from '@almoner/domain/delivery'
import { addMillis, MINUTE } from '@almoner/domain/values'
import { done, SAMPLE_MOMENT, sampleMoment } from '../samples.ts'
import { FCM, type Given, senderRefused } from './fixture.ts'
import { answered, LATER, pauses, probe, recordSome, release, sending } from './provider-steps.ts'

/** What stores remember of refusals of the sender, and of devices that are refused (G15). */
export const refusalsContract = (given: Given): void => {
  for (const [name, when, credentials, most] of [
    ['nothing was ever accepted', undefined, 'a key', MOST_REFUSALS.unknown],
    ['a push was accepted a moment ago', 0, 'a key', MOST_REFUSALS.known],
    ['a push was accepted nine minutes ago', -9, 'a key', MOST_REFUSALS.known],
    ['a push was accepted eleven minutes ago', -11, 'a key', MOST_REFUSALS.unknown],
    ['a push was accepted with other credentials', 0, 'another key', MOST_REFUSALS.unknown],
  ] as const)
    given(
      `G15: refusals of the sender in a row after which an origin is probed, if ${name}: ${most}`,
      async (check, setup) => {
        const { batch } = await sending(setup, 60)
        const accepted = when === undefined ? 0 : 1
        const before = addMillis(SAMPLE_MOMENT, (when ?? 0) * MINUTE)
        await recordSome(setup, batch, [0, accepted], answered('delivered'), {
          now: before,
          credentials: { fcm: credentials },
        })
        const last = accepted + most - 1
        for (let n = accepted; n < last; n += 1)
          await recordSome(setup, batch, [n, n + 1], senderRefused(LATER))
        check.same(await pauses(setup), [])
        const { paused } = await recordSome(setup, batch, [last, last + 1], senderRefused(LATER, 'no'))
        check.same(
          paused.map(({ origin, kind, reason }) => [origin, kind, reason]),
          [[FCM, 'probed', 'no']],
        )
      },
    )

  given('G15: an accepted push in between starts the count of refusals again', async (check, setup) => {
    const { batch } = await sending(setup, 9)
    await recordSome(setup, batch, [0, 4], senderRefused(LATER))
    await recordSome(setup, batch, [4, 5], answered('delivered'), { credentials: {} })
    await recordSome(setup, batch, [5, 9], senderRefused(LATER))
    check.same(await pauses(setup), [])
  })

  given(
    'G15: a device that is refused three times while its provider accepts others has failed',
    async (check, setup) => {
      const { id, batch } = await sending(setup, 5)
      await recordSome(setup, batch, [0, 1], senderRefused(sampleMoment(1)))
      await recordSome(setup, batch, [1, 5], answered('delivered'))
      await done(setup.record(batch.claim, [], { last: true }))
      const kinds: Array<unknown> = []
      for (const seconds of [1, 2, 3]) {
        const now = sampleMoment(seconds)
        const claimed = await setup.claimed({ now })
        check.same(
          claimed.recipients.map(({ refusals }) => refusals),
          [seconds - 1],
          'the first refusal came before anything was accepted',
        )
        const { results } = await recordSome(
          setup,
          claimed,
          [0, 1],
          senderRefused(sampleMoment(seconds + 1)),
          { now },
        )
        kinds.push(results[0]?.kind)
      }
      check.same(kinds, ['waiting', 'waiting', 'ended'])
      check.same((await setup.progress(id)).tally, { delivered: 4, failed: 1, dead: 0, skipped: 0 })
    },
  )

  given('G15: refusals of a probed origin do not count against a device', async (check, setup) => {
    const { id, batch } = await sending(setup, 6)
    await setup.recordAll(batch, senderRefused(LATER))
    let now = SAMPLE_MOMENT
    for (let n = 0; n < 5; n += 1) {
      now = addMillis(now, MINUTE)
      await probe(check, setup, now, senderRefused(LATER))
    }
    check.same((await setup.progress(id)).tally.failed, 0)
    now = addMillis(now, MINUTE)
    check.same(await release(setup, now), 1)
    check.same((await setup.claimed({ now })).recipients[0]?.refusals, 0)
  })
}
