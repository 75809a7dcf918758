/**
 * Parsers of values in environment variables, each of which says in words why it refuses one.
 * @module @almoner/adapters-node/parsing
 */

import { decode } from '@almoner/domain'
import type { Refined } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import { flow, pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'

/** Environment variables, as a process has them. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Parses a value, or returns a sentence that completes "<NAME> …" and never repeats the value, which may be a secret. */
export type Parse<A> = (text: string, environment?: Environment) => E.Either<string, A>

/** Parses by a codec of the domain. */
export const ofDomain = <A>(codec: Refined<A>): Parse<A> =>
  flow(
    decode(codec),
    E.mapLeft(({ errors: [first] }) => first.message),
  )

/** Parses by a function that returns undefined for what it refuses; `message` completes "<NAME> …". */
export const rule =
  <A>(message: string, read: (text: string) => A | undefined): Parse<A> =>
  (text) =>
    pipe(read(text), E.fromNullable(message))

/** Accepts text that matches. */
export const matching = (form: RegExp, message: string): Parse<string> =>
  rule(message, (text) => (form.test(text) ? text : undefined))

/** Any text: a path, which only the file system can judge. */
export const text: Parse<string> = E.right

/** A decimal number without sign, within bounds. */
export const integer = (least: number, most: number): Parse<number> =>
  rule(`must be a whole number from ${least} to ${most}`, (text) =>
    /^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined,
  )

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** A duration such as `30m`, `8h` or `14d`, in seconds, within bounds in seconds. */
export const duration = (least: number, most: number): Parse<number> =>
  rule(`must be a time such as 30m, 8h or 14d, from ${least} s to ${most} s`, (text) => {
    const [, count = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
    const seconds = Number(count) * (UNITS[unit] ?? 0)
    return seconds >= least && seconds <= most ? seconds : undefined
  })

/** One of a few names. */
export const choice = <A extends string>(...names: ReadonlyArray<A>): Parse<A> =>
  rule(`must be one of ${names.join(', ')}`, (text) => names.find((name) => name === text))

/** One of two words for true and false. */
export const either = (yes: string, no: string): Parse<boolean> =>
  flow(
    choice(yes, no),
    E.map((word) => word === yes),
  )

/** A value, or a word that stands for none. */
export const orNone =
  <A>(none: string, parse: Parse<A>): Parse<O.Option<A>> =>
  (text) =>
    text === none
      ? E.right(O.none)
      : pipe(
          parse(text),
          E.bimap((message) => `${message}, or ${none}`, O.some),
        )

/** A list with commas between its parts, or a word that stands for none. */
export const listOf =
  <A>(none: string, parse: Parse<A>): Parse<ReadonlyArray<A>> =>
  (text) =>
    text === none ? E.right([]) : E.traverseArray((part: string) => parse(part.trim()))(text.split(','))
