import type { Instant, ItemId } from '@almoner/domain'
import type { FeedKind, Status } from '@almoner/domain/content'
import type { MediaName } from '@almoner/domain/media'
import type { ItemDescription, ItemTitle, Language, LocalDate, WebUrl } from '@almoner/domain/values'
import { allColumnsOf, type Flag } from './columns.ts'

/** What the rows of both content types share. Instants are epoch milliseconds. */
export interface ItemRow {
  readonly id: ItemId
  readonly status: Status
  readonly restricted: Flag
  readonly lang: Language
  readonly title: ItemTitle
  readonly description: ItemDescription
  readonly created_at: Instant
  readonly updated_at: Instant
  readonly revision: number
}

/** Of each image at most one of name (stored here) and address (lives elsewhere) is given. */
export interface LibraryItemRow extends ItemRow {
  readonly link: WebUrl
  readonly publication_date: LocalDate
  readonly cover_name: MediaName | null
  readonly cover_url: WebUrl | null
  readonly notification_name: MediaName | null
  readonly notification_url: WebUrl | null
}

export interface FeedItemRow extends ItemRow {
  readonly item_type: FeedKind
  readonly link: WebUrl | null
  readonly vlink: WebUrl | null
  readonly image_name: MediaName | null
}

const COMMON: Readonly<Record<keyof ItemRow, true>> = {
  id: true,
  status: true,
  restricted: true,
  lang: true,
  title: true,
  description: true,
  created_at: true,
  updated_at: true,
  revision: true,
}

export const LIBRARY_COLUMNS = allColumnsOf<LibraryItemRow>({
  ...COMMON,
  link: true,
  publication_date: true,
  cover_name: true,
  cover_url: true,
  notification_name: true,
  notification_url: true,
})

export const FEED_COLUMNS = allColumnsOf<FeedItemRow>({
  ...COMMON,
  item_type: true,
  link: true,
  vlink: true,
  image_name: true,
})

/** The tables of items. */
export interface ItemTables {
  readonly library_item: LibraryItemRow
  readonly feed_item: FeedItemRow
}
