import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../access/caller.ts'
import { FeedCursor } from '../content/finding.ts'
import { includeAmong, type WithIncluded, withIncluded } from '../content/include.ts'
import { feedMembers } from '../content/lists.ts'
import { type FeedItem, feedCursor } from '../content/model.ts'
import { type Email, PathSegment } from '../values/addresses.ts'
import { ItemId } from '../values/ids.ts'
import {
  dropOffsetWithoutLimit,
  Lim,
  listingOf,
  Offset,
  type PageRequest,
  pageRequest,
  type ResultSet,
} from '../values/page.ts'
import { parameters, type ValidationFailed } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'
import { Language } from '../values/text.ts'
import type { NoActingUser } from './model.ts'
import type { PeoplePorts } from './ports.ts'
import { forActingUser } from './preferences.ts'

/** Parameters of GET /user/<email>/feed. */
export const ListOwnPosts = parameters({
  name: 'ListOwnPosts',
  required: { email: PathSegment },
  optional: {
    ...{ lim: Lim, offset: Offset, lang: Language, after: FeedCursor },
    include: includeAmong(['images', 'reason']),
  },
  prepare: dropOffsetWithoutLimit,
})
export type ListOwnPosts = typeof ListOwnPosts._A

type PostPorts = Pick<PeoplePorts, 'feedAuthors' | 'knownImages' | 'mediaAddresses'>

/** The posts of an author, in a language or in any. */
type Posts = ResultSet<WithIncluded<FeedItem>, FeedCursor>

const postsOf = (
  ports: PostPorts,
  query: { readonly email: Email; readonly lang: O.Option<Language> },
  page: PageRequest<FeedCursor>,
  include: ReadonlyArray<'images' | 'reason'>,
): TE.TaskEither<Unavailable, Posts> => {
  const found = ports.feedAuthors.list(query, page)
  const members = feedMembers(ports)
  return include.length === 0
    ? found
    : pipe(found, TE.flatMap(withIncluded(include.map((name) => members[name]()))))
}

/** Lists the posts that a user created, in every state and newest first; none for an unknown user. Their author may see the reason (L3). */
export const makeListOwnPosts =
  (ports: PostPorts) =>
  (
    caller: Caller,
    { email, lang, include = [], ...page }: ListOwnPosts,
  ): TE.TaskEither<InsufficientScope | ValidationFailed | NoActingUser | Unavailable, Posts> =>
    forActingUser(caller, email, (subject) =>
      postsOf(ports, { email: subject, lang: O.fromNullable(lang) }, pageRequest(page), include),
    )

/** Parameters of GET /feed/<itemId>/earlier. */
export const ListEarlierPosts = parameters({
  name: 'ListEarlierPosts',
  required: { itemId: ItemId },
  optional: {},
})
export type ListEarlierPosts = typeof ListEarlierPosts._A

/** The earlier posts that are listed. */
const MOST_EARLIER = 6

/**
 * Lists the latest posts that the author of a post sent before it, with images and reasons; none if no user is known as its author. For content
 * managers who decide on the post (L3, J4).
 */
export const makeListEarlierPosts =
  (ports: PostPorts & Pick<PeoplePorts, 'feedItems'>) =>
  (caller: Caller, { itemId }: ListEarlierPosts): TE.TaskEither<InsufficientScope | Unavailable, Posts> =>
    permitted(
      'includeAuthors',
      caller,
    )(() =>
      pipe(
        TE.Do,
        TE.bind('item', () => ports.feedItems.find(itemId)),
        TE.bind('authors', () => ports.feedAuthors.ofPosts([itemId])),
        TE.flatMap(({ item, authors }): TE.TaskEither<Unavailable, Posts> => {
          const email = authors.get(itemId)?.email ?? O.none
          if (O.isNone(item) || O.isNone(email)) return TE.right(listingOf([], O.none))
          const page = { lim: O.some(MOST_EARLIER), offset: 0, after: O.some(feedCursor(item.value)) }
          return pipe(
            postsOf(ports, { email: email.value, lang: O.none }, page, ['images', 'reason']),
            TE.map((found) => ({ ...found, next: O.none })),
          )
        }),
      ),
    )
