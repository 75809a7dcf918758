import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Act } from '../../history/act.ts'
import type { Receipt } from '../../idempotency/receipt.ts'
import type { FeedChange } from '../../items/feed-edits.ts'
import type { FeedItem } from '../../items/feed-item.ts'
import { checkPrecondition, type Precondition, type PreconditionFailed } from '../../items/precondition.ts'
import type { IllegalTransition } from '../../items/status.ts'
import type { Ports } from '../../ports/index.ts'
import type { ItemId } from '../../values/ids.ts'
import type { ValidationFailed } from '../../values/validation.ts'
import { changeItem } from '../change-item.ts'
import type { UpdateError } from '../failures.ts'
import { feedWrite } from './writes.ts'

/** What an edit of a post needs. */
export type FeedEditPorts = Pick<Ports, 'feedItems' | 'clock' | 'mediaAddresses' | 'mediaStore'>

/** Writes an edit of a post under the writer's expectation (C10). */
export const makeWriteFeedEdit =
  (ports: FeedEditPorts) =>
  (
    itemId: ItemId,
    edit: FeedChange,
    expected: Precondition,
    act: Act,
    receipt?: Receipt<FeedItem>,
  ): TE.TaskEither<UpdateError, FeedItem> => {
    const decide = (current: FeedItem) =>
      pipe(
        checkPrecondition(expected)(current),
        E.flatMap(
          (item): E.Either<PreconditionFailed | IllegalTransition | ValidationFailed, FeedItem> => edit(item),
        ),
        E.map((item) => feedWrite(ports.mediaAddresses, item, act)),
      )
    return changeItem(ports.feedItems, ports.mediaStore, itemId, decide, receipt)
  }
