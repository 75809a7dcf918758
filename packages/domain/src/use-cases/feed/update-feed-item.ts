import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Caller, InsufficientScope } from '../../access/caller.ts'
import { asExpected, type Expectation, type Stale } from '../../items/expectation.ts'
import { editFeedItem } from '../../items/feed-edits.ts'
import type { FeedItem } from '../../items/feed-item.ts'
import type { ItemNotFound } from '../../items/item.ts'
import { type IllegalMove, Status } from '../../items/status.ts'
import type { Ports } from '../../ports/index.ts'
import type { ImageGone } from '../../ports/item-store.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import type { Invalid } from '../../values/faults.ts'
import { ItemId } from '../../values/ids.ts'
import { parameters } from '../../values/parameters.ts'
import { discard } from '../discard.ts'
import { guarded } from '../guarded.ts'
import { CONTENT_CONDITIONS, CONTENT_OPTIONAL, CONTENT_REQUIRED, sentContent } from './content-parameters.ts'
import { feedWrite } from './writes.ts'

/** Parameters of POST /feed/<itemId>. */
export const UpdateFeedItem = parameters({
  name: 'UpdateFeedItem',
  required: { itemId: ItemId, ...CONTENT_REQUIRED, status: Status },
  optional: CONTENT_OPTIONAL,
  conditions: CONTENT_CONDITIONS,
})
export type UpdateFeedItem = typeof UpdateFeedItem._A

type Needs = 'feedItems' | 'clock' | 'mediaAddresses' | 'mediaStore'

export type UpdateFeedItemError =
  | InsufficientScope
  | ItemNotFound
  | Stale
  | IllegalMove
  | Invalid
  | ImageGone
  | Unavailable

/** Edits a post and moves it between its states (C5, C7), under the writer's expectation (C10). */
export const makeUpdateFeedItem =
  (ports: Pick<Ports, Needs>) =>
  (
    caller: Caller,
    command: UpdateFeedItem,
    expected: Expectation,
  ): TE.TaskEither<UpdateFeedItemError, FeedItem> =>
    guarded('updateFeedItem', caller, () => {
      const edit = editFeedItem(
        {
          isDonorRestricted: command.isDonorRestricted,
          lang: command.lang,
          title: command.itemTitle,
          description: command.itemDescription,
          content: sentContent(command),
          status: command.status,
        },
        ports.clock.now(),
      )
      const decide = (current: FeedItem) =>
        pipe(
          asExpected(expected)(current),
          E.flatMap((item): E.Either<Stale | IllegalMove | Invalid, FeedItem> => edit(item)),
          E.map((item) => feedWrite(ports.mediaAddresses, item)),
        )
      return pipe(
        ports.feedItems.change(command.itemId, decide),
        TE.tap(({ orphans }) => discard(ports.mediaStore, orphans)),
        TE.map(({ item }) => item),
      )
    })
