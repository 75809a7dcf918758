import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { ItemId } from '../values/ids.ts'
import { oneOf } from '../values/refined.ts'
import type { ItemDescription, ItemTitle, Language } from '../values/text.ts'
import type { Instant } from '../values/time.ts'

/** The common fields of all items. */
export interface ItemCore {
  readonly id: ItemId
  readonly isDonorRestricted: boolean
  readonly lang: Language
  readonly title: ItemTitle
  readonly description: ItemDescription
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** Grows by one with each write, from 1: what an ETag stands for (C10). */
  readonly revision: number
}

/** There is no such item, or the caller may not know of it. */
export interface ItemNotFound {
  readonly _tag: 'ItemNotFound'
}

/** The one {@link ItemNotFound}. */
export const ITEM_NOT_FOUND: ItemNotFound = { _tag: 'ItemNotFound' }

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

/** The states of an item. Only a Live one is seen by others than content managers (A3). */
export const STATUSES = ['Draft', 'Live', 'Archived'] as const
/** One of {@link STATUSES}. */
export type Status = (typeof STATUSES)[number]

/** `status`, matched exactly (B6). */
export const Status = oneOf('Status', STATUSES, 'Status of the item.')

/** The moves that are allowed, by the state they start from (C5). */
export const TRANSITIONS: Readonly<Record<Status, ReadonlyArray<Status>>> = {
  Draft: ['Draft', 'Live', 'Archived'],
  Live: ['Live', 'Draft', 'Archived'],
  Archived: ['Archived', 'Draft'],
}

/** The table of C5 has no such move. */
export interface IllegalTransition {
  readonly _tag: 'IllegalTransition'
  readonly from: Status
  readonly to: Status
}

/** The state entered, if the table allows it (C5). */
export const transition = (from: Status, to: Status): E.Either<IllegalTransition, Status> =>
  TRANSITIONS[from].includes(to) ? E.right(to) : E.left({ _tag: 'IllegalTransition', from, to })
