import * as E from 'fp-ts/lib/Either.js'
import { flow } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'

/** Environment variables, as a process has them. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Parses a value, or returns a sentence that completes "<NAME> …" and never repeats the value, which may be a secret. */
export type Parse<A> = (text: string, environment?: Environment) => E.Either<string, A>

/** A setting, which operators set by an environment variable. */
export interface Setting<A> {
  readonly name: `ALMONER_${string}`
  /** The default as help and docs show it, for a variable that is not set or empty. */
  readonly default: string
  /** What it does and which values it accepts, in a sentence or two. */
  readonly doc: string
  readonly parse: Parse<A>
  readonly unset: A
}

/** Makes a setting whose default could also be set. */
export const setting = <A>(
  name: Setting<A>['name'],
  fallback: string,
  parse: Parse<A>,
  doc: string,
): Setting<A> => {
  const unset = parse(fallback)
  if (E.isLeft(unset)) throw new TypeError(`the default of ${name} ${unset.left}`)
  return { name, default: fallback, doc, parse, unset: unset.right }
}

/** Makes a setting that has no value when it is not set. `shown` stands in the place of a default. */
export const optional = <A>(
  name: Setting<A>['name'],
  shown: string,
  parse: Parse<A>,
  doc: string,
): Setting<O.Option<A>> => ({
  name,
  default: shown,
  doc,
  parse: flow(parse, E.map(O.some)),
  unset: O.none,
})
