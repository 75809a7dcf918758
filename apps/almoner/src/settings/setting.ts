import * as E from 'fp-ts/lib/Either.js'
import { flow } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'

/** Reads a value, or gives a sentence that completes "<NAME> …" and never repeats the value, which may be a secret. */
export type Parse<A> = (text: string) => E.Either<string, A>

/** One thing that an operator may decide, by an environment variable. */
export interface Setting<A> {
  readonly name: `ALMONER_${string}`
  /** What holds when the variable is not set or empty, as help and docs show it. */
  readonly fallback: string
  /** What it does and which values it takes, in a sentence or two. */
  readonly doc: string
  readonly parse: Parse<A>
  readonly unset: A
}

/** A setting whose fallback is a value that one could also have written. */
export const setting = <A>(given: Omit<Setting<A>, 'unset'>): Setting<A> => {
  const unset = given.parse(given.fallback)
  if (E.isLeft(unset)) throw new TypeError(`the fallback of ${given.name} ${unset.left}`)
  return { ...given, unset: unset.right }
}

/** A setting that nothing stands for when it is not set. */
export const optional = <A>(given: Pick<Setting<A>, 'name' | 'doc' | 'parse'>): Setting<O.Option<A>> => ({
  ...given,
  fallback: '""',
  parse: flow(given.parse, E.map(O.some)),
  unset: O.none,
})
