import { type Instant, later, type Pause, type Provider, toRfc3339 } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { onDatabase, type Printout, type Work } from '../../cli/command.ts'
import { durationOption } from '../../cli/duration.ts'
import { notAvailable } from '../../cli/failure.ts'
import { pauseDocument } from './document.ts'
import { knownProvider } from './known-provider.ts'

const printout = (provider: Provider, ended: O.Option<Pause>, overrideUntil: O.Option<Instant>): Printout => {
  const until = O.isSome(overrideUntil) ? toRfc3339(overrideUntil.value) : ''
  const was = O.isSome(ended)
    ? `${provider} is resumed; it was paused since ${toRfc3339(ended.value.since)}: ${ended.value.reason}`
    : `${provider} was not paused`
  return {
    text: until === '' ? was : `${was}\nwhat it calls dead is believed until ${until}`,
    json: { provider, ended: O.isSome(ended) ? pauseDocument(ended.value) : null, overrideUntil: until },
  }
}

const resume = (provider: Provider, time: O.Option<number>): Work =>
  onDatabase(({ providers, clock }) => {
    const now = clock.now()
    const overrideUntil = O.map((milliseconds: number) => later(now, milliseconds))(time)
    return pipe(
      providers.resume(provider, { now, overrideUntil }),
      TE.bimap(notAvailable('the database'), (ended) => printout(provider, ended, overrideUntil)),
    )
  })

/** `push resume PROVIDER [--believe TIME]`: ends a pause (G5); for that time no number of dead tokens brings it back. */
export const resumePush =
  (name: string, { believe }: { readonly believe?: string }): Work =>
  (settings) =>
    pipe(
      TE.Do,
      TE.bind('provider', () => TE.fromEither(knownProvider(name, 'PROVIDER'))),
      TE.bind('time', () => TE.fromEither(durationOption('--believe', believe))),
      TE.flatMap(({ provider, time }) => resume(provider, time)(settings)),
    )
