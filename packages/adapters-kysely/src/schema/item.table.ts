import type { ClientId, Email, Instant, ItemId } from '@almoner/domain'
import type {
  DeletionId,
  FEED_FIELDS,
  FeedKind,
  ITEM_FIELDS,
  LIBRARY_FIELDS,
  LinkAnswer,
  LinkVerdict,
  OwnValues,
  Status,
} from '@almoner/domain/content'
import type { ContentType } from '@almoner/domain/history'
import type { MediaName } from '@almoner/domain/media'
import type { WebUrl } from '@almoner/domain/values'
import type * as O from 'fp-ts/lib/Option.js'
import type { Generated } from 'kysely'
import type { Flag } from './columns.ts'

/** Columns whose names do not follow from the property that they hold. */
const RENAMED = { isDonorRestricted: 'restricted' } as const

/** Returns the column that holds a property of an item: its name in snake case, unless it has another. */
export const columnOf = (property: string): string =>
  Object.hasOwn(RENAMED, property)
    ? RENAMED[property as keyof typeof RENAMED]
    : property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Text

type ColumnOf<Property> = Property extends keyof typeof RENAMED
  ? (typeof RENAMED)[Property]
  : SnakeCase<Property & string>

type CellOf<Value> = [Value] extends [boolean]
  ? Flag
  : [Value] extends [O.Option<infer Inner>]
    ? Inner | null
    : Value

/** The columns that hold the values of an item itself: its definition names them (`content/fields.ts` of the domain). */
export type OwnCells<S> = {
  readonly [Property in keyof OwnValues<S> as ColumnOf<Property>]: CellOf<OwnValues<S>[Property]>
}

/** What the rows of both content types share. Instants are epoch milliseconds. */
export interface ItemRow extends OwnCells<typeof ITEM_FIELDS> {
  readonly id: ItemId
  readonly status: Status
  readonly created_at: Instant
  readonly updated_at: Instant
  readonly revision: number
}

/** Of each image at most one of name (stored here) and address (lives elsewhere) is given. */
export interface LibraryItemRow extends ItemRow, OwnCells<typeof LIBRARY_FIELDS> {
  readonly cover_name: MediaName | null
  readonly cover_url: WebUrl | null
  readonly notification_name: MediaName | null
  readonly notification_url: WebUrl | null
}

export interface FeedItemRow extends ItemRow, OwnCells<typeof FEED_FIELDS> {
  readonly item_type: FeedKind
  readonly link: WebUrl | null
  readonly vlink: WebUrl | null
  readonly image_name: MediaName | null
}

/** What the database alone knows of an item: whether it was Live before its present state (C18). */
interface WasLive {
  readonly was_live: Generated<Flag>
}

/** An item that was deleted, as long as it can be put back (C18). */
export interface DeletedItemRow {
  readonly deletion_id: DeletionId
  readonly content_type: ContentType
  readonly item_id: ItemId
  readonly deleted_at: Instant
  /** The row of the item, as JSON. */
  readonly item: string
  /** The identifiers of its labels, as JSON. */
  readonly labels: string
  readonly author_client: ClientId | null
  readonly author_email: Email | null
  /** The other side of its link, with the bases of the pair. */
  readonly counterpart_id: ItemId | null
  readonly en_base: number | null
  readonly fr_base: number | null
}

/** The tables of items. */
export interface ItemTables {
  readonly library_item: LibraryItemRow & WasLive
  readonly feed_item: FeedItemRow & WasLive
  readonly deleted_item: DeletedItemRow
}

/** The one row of the rounds of checks of links (C17). */
export interface LinkRoundRow {
  readonly one: number
  readonly step: number
  readonly number: number
  readonly begun_at: Instant | null
  readonly position: string | null
  readonly held_until: Instant | null
  readonly shown: number
  readonly ended_at: Instant | null
  readonly hosts: number | null
  readonly unreached: number | null
}

/** What a link answered in a round. The host and whether it was reached follow from address and answer. */
export interface LinkFindingRow {
  readonly round: number
  readonly item_id: ItemId
  readonly field: string
  readonly content_type: ContentType
  readonly url: WebUrl
  readonly host: string
  readonly reached: Flag
  readonly answer: LinkAnswer
  readonly at: Instant
  readonly verdict: LinkVerdict
  readonly gone_answer: LinkAnswer | null
  readonly gone_since: Instant | null
}

/** The tables of checks of links. */
export interface LinkTables {
  readonly link_round: LinkRoundRow
  readonly link_finding: LinkFindingRow
}
