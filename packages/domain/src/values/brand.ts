import type * as t from 'io-ts'

/** A text or number that only its codec makes: no other value is assignable to it. */
export type Branded<A, Name extends string> = t.Branded<A, { readonly [K in Name]: symbol }>
