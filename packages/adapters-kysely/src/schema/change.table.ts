import type { Instant } from '@almoner/domain'
import type { Aspect, ChangeKind } from '@almoner/domain/changes'

/** The latest change of a thing, for one aspect (N2). */
export interface ContentChangeRow {
  readonly kind: ChangeKind
  readonly id: string
  readonly aspect: Aspect
  readonly position: number
  /** All positions before this one had ended when the change was made (N3); null where no two writes run at a time, and for what was there. */
  readonly settled: number | null
  readonly rank: number
  /** Who could see an item before, as `Leads` has it. */
  readonly user_lead: number | null
  readonly donor_lead: number | null
  /** When the thing was deleted; null while it exists, and where that is not known. */
  readonly gone_at: Instant | null
}

/** An epoch of positions (N3). The one with the greatest number is the present one. */
interface ChangeEpochRow {
  readonly epoch: string
  readonly number: number
  /** The number added to that of a transaction to make its position. */
  readonly shift: number
  /** The server whose transactions are numbered; null where no server numbers them. */
  readonly identity: string | null
  /** The position up to which cursors of the epoch are good; null while it lasts. */
  readonly last_position: number | null
}

/** The tables of changes. */
export interface ChangeTables {
  readonly content_change: ContentChangeRow
  readonly change_epoch: ChangeEpochRow
}
