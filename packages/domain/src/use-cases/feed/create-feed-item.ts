import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { boundToOwnUser, type Receipt } from '../../access/acts.ts'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import { authorOf } from '../../items/author.ts'
import type { UnpublishedFeedItem } from '../../items/feed-item.ts'
import type { ContentPorts } from '../../ports/of-content.ts'
import { parameters } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'
import { CONTENT_CONDITIONS, CONTENT_OPTIONAL, CONTENT_REQUIRED, sentContent } from './content-parameters.ts'
import { feedWrite } from './writes.ts'

/** Parameters of POST /feed/. */
export const CreateFeedItem = parameters({
  name: 'CreateFeedItem',
  required: CONTENT_REQUIRED,
  optional: CONTENT_OPTIONAL,
  conditions: CONTENT_CONDITIONS,
})
export type CreateFeedItem = typeof CreateFeedItem._A

type Needs = 'feedItems' | 'clock' | 'ids' | 'mediaAddresses'

/** A donor's new post: a Draft until a content manager approves it; public and in English unless said otherwise (B9). The caller is recorded as its author (L3); the user only while the caller is bound to it (L1). */
export const makeCreateFeedItem =
  (ports: Pick<ContentPorts, Needs>) =>
  (
    caller: Caller,
    command: CreateFeedItem,
    receipt?: Receipt<UnpublishedFeedItem>,
  ): TE.TaskEither<InsufficientScope | Unavailable, UnpublishedFeedItem> =>
    permitted(
      'createFeedItem',
      caller,
    )(() => {
      const now = ports.clock.now()
      const item: UnpublishedFeedItem = {
        id: ports.ids.nextItemId(),
        isDonorRestricted: command.isDonorRestricted ?? false,
        lang: command.lang ?? 'en',
        title: command.itemTitle,
        description: command.itemDescription,
        createdAt: now,
        updatedAt: now,
        revision: 1,
        status: 'Draft',
        content: { ...sentContent(command), image: O.none },
      }
      return pipe(
        ports.feedItems.add(
          {
            ...feedWrite(ports.mediaAddresses, item, {
              actor: caller.actor,
              action: 'create',
              ...boundToOwnUser(caller),
            }),
            author: authorOf(caller),
          },
          receipt,
        ),
        TE.map(() => item),
      )
    })
