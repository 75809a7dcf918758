import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { ItemCore } from './item.ts'

/** The revisions that a writer is ready to overwrite; none: any (C10). */
export type Precondition = O.Option<ReadonlySet<number>>

/** The item has moved on since the writer looked (C10). */
export interface PreconditionFailed {
  readonly _tag: 'PreconditionFailed'
}

/** The item, if it is as the writer expects. */
export const checkPrecondition =
  (expected: Precondition) =>
  <I extends ItemCore>(item: I): E.Either<PreconditionFailed, I> =>
    O.isNone(expected) || expected.value.has(item.revision)
      ? E.right(item)
      : E.left({ _tag: 'PreconditionFailed' })

/** The next revision of an item, written at this moment. */
export const nextRevision = <I extends ItemCore>(item: I, now: I['updatedAt']): I => ({
  ...item,
  revision: item.revision + 1,
  updatedAt: now,
})
