import * as O from 'fp-ts/lib/Option.js'
import { FAULT_PAUSE, later, PROVIDERS, type Provider, pausesAmong } from '../../src/index.ts'
import { done } from '../samples.ts'
import { SAMPLE_MOMENT } from '../samples-people.ts'
import { type givenKit, held } from './kit.ts'

// In a host's program these names are in the type, by declaration merging.
const ADDED = 'expo' as Provider
const NEVER_USED = 'another' as Provider

/** What stores do with a provider that a host has added. */
export const addedProvider = (given: ReturnType<typeof givenKit>): void =>
  given('G5: a provider that a host has added is paused and resumed like any other', async (check, kit) => {
    await kit.readers(0, 2)
    await kit.notification(1)
    await kit.start()
    const { paused } = await kit.recordAll(await kit.claimed(), held(ADDED, 'a wrong key'))
    const until = later(SAMPLE_MOMENT, FAULT_PAUSE)
    const pause = { provider: ADDED, reason: 'a wrong key', since: SAMPLE_MOMENT, until: O.some(until) }
    check.same(paused, [pause])
    const states = await done(kit.providers.states(SAMPLE_MOMENT))
    check.same(pausesAmong(states), [pause])
    check.same(
      states.map(({ provider }) => provider),
      [...PROVIDERS, ADDED],
    )

    const resume = (provider: Provider) =>
      done(kit.providers.resume(provider, { now: SAMPLE_MOMENT, overrideUntil: O.none }))
    check.same(await resume(ADDED), O.some(pause))
    check.same(await resume(NEVER_USED), O.none)
    const release = (by: ReadonlyArray<Provider>) =>
      done(kit.deliveries.release({ now: SAMPLE_MOMENT, by, first: 1000 }))
    check.same(await release(PROVIDERS), 0, 'a process without the provider does not send to its devices')
    check.same(await release([ADDED]), 2)
  })
