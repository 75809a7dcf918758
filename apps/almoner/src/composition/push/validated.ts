import * as E from 'fp-ts/lib/Either.js'
import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'

/** A value, or a line for each of its errors. No line repeats the value of a setting or the content of a file. */
export type Validated<A> = E.Either<ReadonlyNonEmptyArray<string>, A>

/** One line against a value. */
export const fault = (line: string): Validated<never> => E.left([line])

const linesOf = (checked: Validated<unknown>): ReadonlyArray<string> =>
  E.isLeft(checked) ? checked.left : []

/** All values by their names, or every line against any of them, in order. */
export const allOf = <A extends object>(
  parts: { readonly [K in keyof A]: Validated<A[K]> },
): Validated<A> => {
  const entries = Object.entries<Validated<unknown>>(parts)
  const [first, ...rest] = entries.flatMap(([, part]) => linesOf(part))
  if (first !== undefined) return E.left([first, ...rest])
  const values = entries.flatMap(([name, part]) => (E.isRight(part) ? [[name, part.right]] : []))
  // Each name came with the value that its own part holds.
  return E.right(Object.fromEntries(values) as A)
}
