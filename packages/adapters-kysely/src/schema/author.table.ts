import type { ClientId, Email, Instant, ItemId } from '@almoner/domain'

/** The author of a post (L3). `posted_at` repeats the post's creation, which never changes: the order of own posts. */
export interface FeedAuthorRow {
  readonly item_id: ItemId
  readonly client_id: ClientId
  readonly email: Email | null
  readonly posted_at: Instant
}

/** The table of the authors of posts. */
export interface AuthorTables {
  readonly feed_author: FeedAuthorRow
}
