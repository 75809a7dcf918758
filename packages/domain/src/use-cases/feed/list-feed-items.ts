import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import { type FeedItem, FeedKind } from '../../items/feed-item.ts'
import { matchesFeed } from '../../items/matching.ts'
import { FeedCursor } from '../../items/queries.ts'
import { type VisibilityPolicy, visibilityFor } from '../../items/visibility.ts'
import type { ContentPorts } from '../../ports/of-content.ts'
import { ItemId } from '../../values/ids.ts'
import { dropOffsetWithoutLimit, Lim, Offset, pageRequest, type ResultSet } from '../../values/page.ts'
import { parameters } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'
import { Language } from '../../values/text.ts'
import { includeOf, readAuthorMember, readLabelMember, type WithIncluded } from '../include.ts'
import { FINDING, feedFilters, listItems } from '../list-items.ts'

const optional = {
  itemId: ItemId,
  itemType: FeedKind,
  lim: Lim,
  offset: Offset,
  lang: Language,
  after: FeedCursor,
}

/** Parameters of GET /feed/<itemId>: without the ones that find items (J1). */
export const GetFeedItem = parameters({
  name: 'GetFeedItem',
  required: {},
  optional,
  prepare: dropOffsetWithoutLimit,
})

/** Parameters of GET /feed/. */
export const ListFeedItems = parameters({
  name: 'ListFeedItems',
  required: {},
  optional: { ...optional, ...FINDING, include: includeOf(['labels', 'author']) },
  prepare: dropOffsetWithoutLimit,
})
export type ListFeedItems = typeof ListFeedItems._A

/** The feed as the caller may see it, newest post first (A3, C3, C4). Authors are for content managers (J4). */
export const makeListFeedItems =
  (ports: Pick<ContentPorts, 'feedItems' | 'labels' | 'feedAuthors' | 'clock'>, policy: VisibilityPolicy) =>
  (
    caller: Caller,
    asked: ListFeedItems,
  ): TE.TaskEither<InsufficientScope | Unavailable, ResultSet<WithIncluded<FeedItem>, FeedCursor>> =>
    permitted(
      'listFeedItems',
      caller,
    )(() => {
      const include = asked.include ?? []
      const members = { labels: () => readLabelMember(ports, 'feed'), author: () => readAuthorMember(ports) }
      const found = listItems(
        ports,
        { contentType: 'feed', store: ports.feedItems, matches: matchesFeed },
        {
          itemId: O.fromNullable(asked.itemId),
          query: {
            visibility: visibilityFor(policy, ports.clock, caller),
            lang: O.fromNullable(asked.lang),
            kind: O.fromNullable(asked.itemType),
            filters: feedFilters(asked, policy.timeZone),
          },
          window: pageRequest(asked),
          include: include.map((name) => members[name]()),
          count: asked.count === 'true',
        },
      )
      return include.includes('author') ? permitted('includeAuthors', caller)(() => found) : found
    })
