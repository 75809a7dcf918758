import * as O from 'fp-ts/lib/Option.js'
import { addMillis, FAULT_PAUSE, PROVIDERS, type Provider, pausesAmong } from '../../src/all.ts'
import { done } from '../samples.ts'
import { SAMPLE_MOMENT } from '../samples-people.ts'
import { deferred, type givenDeliveries } from './fixture.ts'

// In a host's program these names are in the type, by declaration merging.
const ADDED = 'expo' as Provider
const NEVER_USED = 'another' as Provider

/** What stores do with a provider that a host has added. */
export const addedProvider = (given: ReturnType<typeof givenDeliveries>): void =>
  given(
    'G5: a provider that a host has added is paused and resumed like any other',
    async (check, fixture) => {
      await fixture.readers(0, 2)
      await fixture.notification(1)
      await fixture.start()
      const { paused } = await fixture.recordAll(await fixture.claimed(), deferred(ADDED, 'a wrong key'))
      const until = addMillis(SAMPLE_MOMENT, FAULT_PAUSE)
      const pause = { provider: ADDED, reason: 'a wrong key', since: SAMPLE_MOMENT, until: O.some(until) }
      check.same(paused, [pause])
      const states = await done(fixture.providers.states(SAMPLE_MOMENT))
      check.same(pausesAmong(states), [pause])
      check.same(
        states.map(({ provider }) => provider),
        [...PROVIDERS, ADDED],
      )

      const resume = (provider: Provider) =>
        done(fixture.providers.resume(provider, { now: SAMPLE_MOMENT, overrideUntil: O.none }))
      check.same(await resume(ADDED), O.some(pause))
      check.same(await resume(NEVER_USED), O.none)
      const release = (by: ReadonlyArray<Provider>) =>
        done(fixture.deliveries.releaseDeferred({ now: SAMPLE_MOMENT, by, first: 1000 }))
      check.same(await release(PROVIDERS), 0, 'a process without the provider does not send to its devices')
      check.same(await release([ADDED]), 2)
    },
  )
