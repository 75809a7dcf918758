import * as E from 'fp-ts/lib/Either.js'
import { flow } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'

/** Reads a value, or gives a sentence that completes "<NAME> …" and never repeats the value, which may be a secret. */
export type Parse<A> = (text: string) => E.Either<string, A>

/** One thing that an operator may decide, by an environment variable. */
export interface Setting<A> {
  readonly name: `ALMONER_${string}`
  /** What holds when the variable is not set or empty, as help and docs show it. */
  readonly default: string
  /** What it does and which values it takes, in a sentence or two. */
  readonly doc: string
  readonly parse: Parse<A>
  readonly unset: A
}

/** A setting whose default is a value that one could also have written. */
export const setting = <A>(given: Omit<Setting<A>, 'unset'>): Setting<A> => {
  const unset = given.parse(given.default)
  if (E.isLeft(unset)) throw new TypeError(`the default of ${given.name} ${unset.left}`)
  return { ...given, unset: unset.right }
}

/** A setting that has no value when it is not set. Its `default` only says so, or what is derived instead. */
export const optional = <A>(
  given: Pick<Setting<A>, 'name' | 'doc' | 'parse'> & { readonly default?: string },
): Setting<O.Option<A>> => ({
  default: '""',
  ...given,
  parse: flow(given.parse, E.map(O.some)),
  unset: O.none,
})
