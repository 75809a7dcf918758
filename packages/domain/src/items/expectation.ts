import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { ItemCore } from './item.ts'

/** The revisions that a writer is ready to overwrite; none: any (C10). */
export type Expectation = O.Option<ReadonlySet<number>>

/** The item has moved on since the writer looked (C10). */
export interface Stale {
  readonly _tag: 'Stale'
}

/** The item, if it is as the writer expects. */
export const asExpected =
  (expected: Expectation) =>
  <I extends ItemCore>(item: I): E.Either<Stale, I> =>
    O.isNone(expected) || expected.value.has(item.revision) ? E.right(item) : E.left({ _tag: 'Stale' })

/** The next revision of an item, written at this moment. */
export const revised = <I extends ItemCore>(item: I, now: I['updatedAt']): I => ({
  ...item,
  revision: item.revision + 1,
  updatedAt: now,
})
