import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Act, Receipt } from '../../access/acts.ts'
import { type Caller, permitted } from '../../access/caller.ts'
import type { Fields } from '../../history/model.ts'
import { restoreFeedItem } from '../../items/feed-edits.ts'
import type { FeedItem } from '../../items/feed-item.ts'
import { imageInField } from '../../items/fields.ts'
import type { Precondition } from '../../items/item.ts'
import type { ContentPorts } from '../../ports/of-content.ts'
import { decode } from '../../values/parameters.ts'
import { feedEditOf, UpdateFeedItem } from '../feed/update-feed-item.ts'
import { type FeedEditPorts, makeWriteFeedEdit } from '../feed/writes.ts'
import { asParameters, imageGone, type OneRevision, type RestoreError, stateAt } from './one-revision.ts'

const uploadOf = (state: Fields) => imageInField('itemRelatedLink', state['itemRelatedLink'] ?? '')

/** Updates a post with the values after one of its revisions, its uploaded image included (K2). */
export const makeRestoreFeedRevision = (ports: FeedEditPorts & Pick<ContentPorts, 'history'>) => {
  const write = makeWriteFeedEdit(ports)
  const addresses = ports.mediaAddresses
  return (
    caller: Caller,
    revision: OneRevision,
    expected: Precondition,
    receipt?: Receipt<FeedItem>,
  ): TE.TaskEither<RestoreError, FeedItem> => {
    const act: Act = { actor: caller.actor, action: 'restore' }
    const editOf = (state: Fields) =>
      pipe(
        decode(UpdateFeedItem)(asParameters(revision, state, addresses)),
        TE.fromEither,
        TE.map((command) => restoreFeedItem(feedEditOf(command), uploadOf(state), ports.clock.now())),
      )
    return permitted(
      'restoreFeedRevision',
      caller,
    )(() =>
      pipe(
        stateAt(ports.history, 'feed', revision),
        TE.flatMap(editOf),
        TE.flatMap((edit) =>
          TE.mapLeft(imageGone(addresses))(write(revision.itemId, edit, expected, act, receipt)),
        ),
      ),
    )
  }
}
