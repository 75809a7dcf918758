import { pausesAmong, wholeOf } from '@almoner/domain/delivery'
import { PROVIDERS, type Provider } from '@almoner/domain/people'
import { done, SAMPLE_MOMENT, sampleMoment } from '../samples.ts'
import { type givenDeliveries, senderRefused } from './fixture.ts'
import { release, resume } from './provider-steps.ts'

// In a host's program these names are in the type, by declaration merging.
const ADDED = 'expo' as Provider
const NEVER_USED = 'another' as Provider

/** What stores do with a provider that a host has added. */
export const addedProvider = (given: ReturnType<typeof givenDeliveries>): void =>
  given(
    'G5: a provider that a host has added is paused and resumed like any other',
    async (check, fixture) => {
      await fixture.readers(0, 5)
      await fixture.notification(1)
      await fixture.start()
      const refused = senderRefused(sampleMoment(60), 'a wrong key', wholeOf(ADDED))
      const { paused } = await fixture.recordAll(await fixture.claimed(), refused)
      check.same(
        paused.map(({ origin, kind, reason }) => [origin, kind, reason]),
        [[ADDED, 'probed', 'a wrong key']],
      )
      const states = await done(fixture.providers.states(SAMPLE_MOMENT))
      check.same(pausesAmong(states), paused)
      check.same(
        states.map(({ provider }) => provider),
        [...PROVIDERS, ADDED],
      )
      check.same(await resume(fixture, { provider: ADDED }), paused)
      check.same(await resume(fixture, { provider: NEVER_USED }), [])
      check.same(
        await release(fixture, SAMPLE_MOMENT),
        0,
        'a process without the provider does not send to its devices',
      )
      check.same(await release(fixture, SAMPLE_MOMENT, { by: [ADDED] }), 5)
    },
  )
