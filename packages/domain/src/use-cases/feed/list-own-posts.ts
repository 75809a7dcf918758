import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Caller, InsufficientScope } from '../../access/caller.ts'
import { FeedCursor } from '../../content/finding.ts'
import type { FeedItem } from '../../content/model.ts'
import type { NoActingUser } from '../../people/acting-user.ts'
import type { PeoplePorts } from '../../ports/of-people.ts'
import { PathSegment } from '../../values/addresses.ts'
import { dropOffsetWithoutLimit, Lim, Offset, pageRequest, type ResultSet } from '../../values/page.ts'
import { parameters, type ValidationFailed } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'
import { Language } from '../../values/text.ts'
import { forActingUser } from '../people/one-user.ts'

/** Parameters of GET /user/<email>/feed. */
export const ListOwnPosts = parameters({
  name: 'ListOwnPosts',
  required: { email: PathSegment },
  optional: { lim: Lim, offset: Offset, lang: Language, after: FeedCursor },
  prepare: dropOffsetWithoutLimit,
})
export type ListOwnPosts = typeof ListOwnPosts._A

/** Lists the posts that a user created, in every state and newest first; none for an unknown user (L3). */
export const makeListOwnPosts =
  (ports: Pick<PeoplePorts, 'feedAuthors'>) =>
  (
    caller: Caller,
    { email, lang, ...page }: ListOwnPosts,
  ): TE.TaskEither<
    InsufficientScope | ValidationFailed | NoActingUser | Unavailable,
    ResultSet<FeedItem, FeedCursor>
  > =>
    forActingUser(caller, email, (subject) =>
      ports.feedAuthors.list({ email: subject, lang: O.fromNullable(lang) }, pageRequest(page)),
    )
