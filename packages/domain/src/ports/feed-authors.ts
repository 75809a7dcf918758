import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Author } from '../items/author.ts'
import type { FeedItem } from '../items/feed-item.ts'
import type { FeedCursor } from '../items/queries.ts'
import type { Email } from '../values/addresses.ts'
import type { ItemId } from '../values/ids.ts'
import type { PageRequest, ResultSet } from '../values/page.ts'
import type { Unavailable } from '../values/ports.ts'
import type { Language } from '../values/text.ts'

/** Selects the posts of one author, in one language or in any. */
export interface OwnPostsQuery {
  readonly email: Email
  readonly lang: Option<Language>
}

/** The authors of posts (L3). `FeedItems.add` records them; posts from before have none. */
export interface FeedAuthors {
  /** Lists the posts whose author has this email, in every state and in the order of the feed (C3). Reads as lists of items do. */
  list(
    query: OwnPostsQuery,
    page: PageRequest<FeedCursor>,
  ): TaskEither<Unavailable, ResultSet<FeedItem, FeedCursor>>
  /** Returns the authors of these posts; posts without an author are left out. At most a few hundred ids. */
  ofPosts(ids: ReadonlyArray<ItemId>): TaskEither<Unavailable, ReadonlyMap<ItemId, Author>>
}
