import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Caller } from '../../access/caller.ts'
import { withScope } from '../../access/caller.ts'
import type { Receipt } from '../../idempotency/receipt.ts'
import { editFeedItem } from '../../items/feed-edits.ts'
import type { FeedItem } from '../../items/feed-item.ts'
import { checkPrecondition, type Precondition, type PreconditionFailed } from '../../items/precondition.ts'
import { type IllegalTransition, Status } from '../../items/status.ts'
import type { Ports } from '../../ports/index.ts'
import { ItemId } from '../../values/ids.ts'
import { parameters } from '../../values/parameters.ts'
import type { ValidationFailed } from '../../values/validation.ts'
import { changeItem } from '../change-item.ts'
import type { UpdateError } from '../failures.ts'
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

/** Edits a post and moves it between its states (C5, C7), under the writer's expectation (C10). */
export const makeUpdateFeedItem =
  (ports: Pick<Ports, Needs>) =>
  (
    caller: Caller,
    command: UpdateFeedItem,
    expected: Precondition,
    receipt?: Receipt<FeedItem>,
  ): TE.TaskEither<UpdateError, FeedItem> =>
    withScope('updateFeedItem', caller, () => {
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
          checkPrecondition(expected)(current),
          E.flatMap(
            (item): E.Either<PreconditionFailed | IllegalTransition | ValidationFailed, FeedItem> =>
              edit(item),
          ),
          E.map((item) => feedWrite(ports.mediaAddresses, item)),
        )
      return changeItem(ports.feedItems, ports.mediaStore, command.itemId, decide, receipt)
    })
