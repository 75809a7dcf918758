import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { type Failure, misused } from './failure.ts'

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400 } as const
const LONGEST = 365 * SECONDS.d

/** A duration as `90s`, `30m`, `24h` or `7d`, in milliseconds. */
const duration = (option: string, text: string): E.Either<Failure, number> => {
  const [, count, unit = ''] = /^(\d{1,8})([smhd])$/.exec(text) ?? []
  const seconds = Number(count) * SECONDS[unit as keyof typeof SECONDS]
  return seconds <= LONGEST
    ? E.right(seconds * 1000)
    : E.left(misused(`${option} must be a time such as 90s, 30m, 24h or 7d, at most 365d`))
}

/** The duration that an option gives, in milliseconds; none when it is left out. */
export const durationOption = (
  option: string,
  text: string | undefined,
): E.Either<Failure, O.Option<number>> =>
  text === undefined ? E.right(O.none) : pipe(duration(option, text), E.map(O.some))
