import type * as O from 'fp-ts/lib/Option.js'

type Atom = string | number | boolean | null | undefined | Uint8Array

/** A value of the domain as plain data: an `Option` is its value or null, a set is an array. */
export type Plain<A> = A extends O.None
  ? null
  : A extends O.Some<infer Value>
    ? Plain<Value>
    : A extends Atom
      ? A
      : A extends ReadonlySet<infer Item>
        ? ReadonlyArray<Plain<Item>>
        : A extends ReadonlyArray<infer Item>
          ? ReadonlyArray<Plain<Item>>
          : { readonly [Name in keyof A]: Plain<A[Name]> }

const isTagged = (value: object, tag: 'None' | 'Some'): boolean => '_tag' in value && value._tag === tag

const plainOf = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  if (isTagged(value, 'None')) return null
  if (isTagged(value, 'Some') && 'value' in value) return plainOf(value.value)
  if (Array.isArray(value) || value instanceof Set) return [...value].map(plainOf)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainOf(member)]))
}

/**
 * Returns a value of the domain as plain data, for JSON and for code without fp-ts. Instants stay milliseconds since 1970 in UTC, which
 * `new Date(instant)` takes; calendar days stay `YYYY-MM-DD`.
 */
export const plain = <A>(value: A): Plain<A> => plainOf(value) as Plain<A>
