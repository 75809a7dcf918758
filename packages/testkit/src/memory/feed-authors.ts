import { type Author, compareCursors, feedCursor } from '@almoner/domain/content'
import type { FeedAuthors } from '@almoner/domain/ports'
import type { ItemId } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { paginate } from './paginate.ts'
import type { Tables } from './tables.ts'

/** Authors of posts in memory. */
export const memoryFeedAuthors = ({ feed, authors }: Tables): FeedAuthors => ({
  list: ({ email, lang }, page) =>
    TE.fromIO(() => {
      const isOwn = (id: ItemId) => {
        const author = authors.get(id)
        return author !== undefined && O.isSome(author.email) && author.email.value === email
      }
      const own = [...feed.values()]
        .filter((item) => isOwn(item.id) && (O.isNone(lang) || lang.value === item.lang))
        .sort((a, b) => compareCursors(feedCursor(a), feedCursor(b)))
      return paginate(own, page, feedCursor, compareCursors)
    }),
  ofPosts: (ids) =>
    TE.fromIO(
      () =>
        new Map(
          ids.flatMap((id): ReadonlyArray<readonly [ItemId, Author]> => {
            const author = authors.get(id)
            return author === undefined ? [] : [[id, author]]
          }),
        ),
    ),
})
