import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { AccessPolicy, AccessPorts } from '../access/ports.ts'
import type { PageRequest, ResultSet } from '../values/page.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'
import type { AuditCursor, AuditQuery, AuditRecord, Fields, Revision, RevisionQuery } from './model.ts'

/** What history and the areas before it ask of the world. */
export interface HistoryPorts extends AccessPorts {
  readonly history: History
}

/** What a deployment decides for history and the areas before it. */
export interface HistoryPolicy extends AccessPolicy {
  /** How long audit records are kept, in days; an item's latest revision stays (K3). */
  readonly historyDays: number
}

/**
 * The records of all changes (K1). The stores write them: each write that is given an `Act` leaves one record in its own transaction, unless it
 * changes nothing.
 */
export interface History {
  /** The revisions of an item, newest first; none for an unknown item (K2). Reads as lists of items do (C11, C12). */
  revisions(
    query: RevisionQuery,
    window: PageRequest<number>,
  ): TaskEither<Unavailable, ResultSet<Revision, number>>
  /** The whole state of an item after a revision; none if the item does not have it (K2, K3). */
  stateAt(query: RevisionQuery, number: number): TaskEither<Unavailable, Option<Fields>>
  /** The records of a query, the latest time first. Reads as lists of items do, at a cost that does not grow with the records of others (C11, C12). */
  audit(
    query: AuditQuery,
    window: PageRequest<AuditCursor>,
  ): TaskEither<Unavailable, ResultSet<AuditRecord, AuditCursor>>
  /** The records of a query, in the same order, in batches, as one consistent snapshot. A fault throws out of the iteration (K4). */
  records(query: AuditQuery): AsyncIterable<ReadonlyArray<AuditRecord>>
  /**
   * Deletes records made at this moment or before. An item's latest revision stays (K3).
   * @returns how many, at most a few thousand; 0 when there are none left
   */
  purge(madeBy: Instant): TaskEither<Unavailable, number>
}
