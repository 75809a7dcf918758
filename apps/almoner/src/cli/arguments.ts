import { decode, type Instant } from '@almoner/domain'
import { PROVIDERS, type Provider } from '@almoner/domain/people'
import { addMillis, type Refined } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import { misused, orThrow } from '../failure.ts'

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const
const LONGEST = 365 * SECONDS.d

/** Reads a duration such as `90s`, `30m`, `24h` or `7d`, in milliseconds; none when the option is left out. */
export const durationOption = (option: string, text: string | undefined): O.Option<number> => {
  if (text === undefined) return O.none
  const [, count, unit = ''] = /^(\d{1,8})([smhd])$/.exec(text) ?? []
  const seconds = Number(count) * SECONDS[unit as keyof typeof SECONDS]
  if (seconds <= LONGEST) return O.some(seconds * 1000)
  throw misused(`${option} must be a time such as 90s, 30m, 24h or 7d, at most 365d`)
}

/** Returns the instant that lies a number of milliseconds after another. */
export const after = (now: Instant, time: O.Option<number>): O.Option<Instant> =>
  O.map((milliseconds: number) => addMillis(now, milliseconds))(time)

/** Reads an argument by a codec of the domain. */
export const argument = <A>(name: string, codec: Refined<A>, text: string | undefined): A =>
  orThrow(decode(codec)(text), ({ errors: [first] }) => misused(`${name} ${first.message}`))

const isProvider = (name: string): name is Provider => (PROVIDERS as ReadonlyArray<string>).includes(name)

/** Reads the name of a provider. */
export const providerArgument = (argument: string, name: string): Provider => {
  if (isProvider(name)) return name
  throw misused(`${argument} must be one of ${PROVIDERS.join(', ')}`)
}
