import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Act, Receipt } from '../../access/acts.ts'
import { type Caller, permitted } from '../../access/caller.ts'
import { editFeedItem, type FeedEdit } from '../../items/feed-edits.ts'
import type { FeedItem } from '../../items/feed-item.ts'
import { type Precondition, Status } from '../../items/item.ts'
import { ItemId } from '../../values/ids.ts'
import { parameters } from '../../values/parameters.ts'
import type { UpdateError } from '../failures.ts'
import { CONTENT_CONDITIONS, CONTENT_OPTIONAL, CONTENT_REQUIRED, sentContent } from './content-parameters.ts'
import { type FeedEditPorts, makeWriteFeedEdit } from './writes.ts'

/** Parameters of POST /feed/<itemId>. */
export const UpdateFeedItem = parameters({
  name: 'UpdateFeedItem',
  required: { itemId: ItemId, ...CONTENT_REQUIRED, status: Status },
  optional: CONTENT_OPTIONAL,
  conditions: CONTENT_CONDITIONS,
})
export type UpdateFeedItem = typeof UpdateFeedItem._A

/** Returns the edit that the parameters of an update describe. */
export const feedEditOf = (command: UpdateFeedItem): FeedEdit => ({
  isDonorRestricted: command.isDonorRestricted,
  lang: command.lang,
  title: command.itemTitle,
  description: command.itemDescription,
  content: sentContent(command),
  status: command.status,
})

/** Edits a post and moves it between its states (C5, C7), under the writer's expectation (C10). */
export const makeUpdateFeedItem = (ports: FeedEditPorts) => {
  const write = makeWriteFeedEdit(ports)
  return (
    caller: Caller,
    command: UpdateFeedItem,
    expected: Precondition,
    receipt?: Receipt<FeedItem>,
  ): TE.TaskEither<UpdateError, FeedItem> =>
    permitted(
      'updateFeedItem',
      caller,
    )(() => {
      const edit = editFeedItem(feedEditOf(command), ports.clock.now())
      const act: Act = { actor: caller.actor, action: 'update' }
      return write(command.itemId, edit, expected, act, receipt)
    })
}
