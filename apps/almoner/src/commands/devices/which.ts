import { type Clock, type DeadOnes, later, type Provider } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { durationOption } from '../../cli/duration.ts'
import type { Failure } from '../../cli/failure.ts'
import { knownProvider } from '../push/known-provider.ts'

/** Options that choose among the dead devices. */
export interface DeadOptions {
  readonly provider?: string
  readonly last?: string
}

const providerOption = (name: string | undefined): E.Either<Failure, O.Option<Provider>> =>
  name === undefined ? E.right(O.none) : pipe(knownProvider(name, '--provider'), E.map(O.some))

/** The dead devices that options ask for, once it is known what time it is. */
export const whichDead = ({ provider, last }: DeadOptions): E.Either<Failure, (clock: Clock) => DeadOnes> =>
  pipe(
    E.Do,
    E.bind('provider', () => providerOption(provider)),
    E.bind('time', () => durationOption('--last', last)),
    E.map(({ provider, time }) => (clock: Clock): DeadOnes => {
      const now = clock.now()
      return { provider, since: O.map((milliseconds: number) => later(now, -milliseconds))(time) }
    }),
  )
