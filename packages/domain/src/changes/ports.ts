import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { PortfolioPolicy, PortfolioPorts } from '../portfolio/ports.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Instant } from '../values/time.ts'
import type { Aspect, ChangeKind, ChangePlace, ChangesTip, HeldPosition, StoredChange } from './model.ts'

/** What changes and the areas before it ask of the world. */
export interface ChangesPorts extends PortfolioPorts {
  readonly changes: Changes
}

/** What a deployment decides for changes and the areas before it. */
export type ChangesPolicy = PortfolioPolicy

/** Selects changes behind a place. */
export interface ChangesQuery {
  /** The position behind which they begin; with a place, behind that within the position. */
  readonly position: number
  readonly place: Option<ChangePlace>
  readonly kinds: ReadonlyArray<ChangeKind>
  readonly aspects: ReadonlyArray<Aspect>
  /** How many to return at most: up to about a thousand. */
  readonly most: number
}

/** Changes from one unchanging state. Fewer than were asked for are all up to the tip. */
export interface ChangesRead {
  readonly tip: ChangesTip
  /** In order. None lies behind the tip. */
  readonly changes: ReadonlyArray<StoredChange>
}

/**
 * What changed, and when, for copies that apps keep (N2). Writes of items, labels, sizes of images and the portfolio each put their change behind
 * all others, in their own transaction. A load that changes the order of labels puts all of them there, in order; any other load those from the first
 * one on whose names changed, and each item with a label that was renamed (or any, after a new order) for the aspect `labels`.
 */
export interface Changes {
  /** Returns how far changes are complete. Cheap. Any state will do that is complete up to a position which a copy holds; else the latest. */
  tip(held?: HeldPosition): TaskEither<Unavailable, ChangesTip>
  /** Returns the position at which an earlier epoch ended: cursors up to there are good. None for an unknown epoch (N3). */
  endOf(epoch: string): TaskEither<Unavailable, Option<number>>
  /** Returns changes with the state of each thing. */
  after(query: ChangesQuery): TaskEither<Unavailable, ChangesRead>
  /** Forgets some things that were deleted before a moment (K3). Returns how many; 0 when none is left. */
  purge(deletedBy: Instant): TaskEither<Unavailable, number>
}
