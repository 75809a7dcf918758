import type { Instant, ItemId } from '@almoner/domain'
import type { ActorKind } from '@almoner/domain/access'
import type { ProposalId } from '@almoner/domain/content'
import type { ContentType } from '@almoner/domain/history'

/** A version of a proposal (C16). At most one for an item is open: it has no `closed_at`. */
export interface ProposalRow {
  readonly id: ProposalId
  readonly content_type: ContentType
  readonly item_id: ItemId
  readonly base_revision: number
  /** The fields of the base, and those proposed, as JSON. */
  readonly base: string
  readonly state: string
  /** The names of the stored images that it shows or mentions, as JSON: exports have no other list of them. */
  readonly images: string
  /** Null since the author was disabled or erased. */
  readonly actor_kind: ActorKind | null
  readonly actor_id: string | null
  readonly proposed_at: Instant
  readonly publish_at: Instant | null
  readonly failed_at: Instant | null
  /** The names of fields, as JSON; null without `failed_at`. */
  readonly missing: string | null
  readonly closed_at: Instant | null
}

/** The table of proposals. */
export interface ProposalTables {
  readonly proposal: ProposalRow
}
