import * as E from 'fp-ts/lib/Either.js'
import { oneOf } from '../values/refined.ts'

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
