import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Act, Receipt } from '../../access/acts.ts'
import type { FeedChange } from '../../items/feed-edits.ts'
import { type FeedItem, relatedFeedImage } from '../../items/feed-item.ts'
import {
  checkPrecondition,
  type IllegalTransition,
  type Precondition,
  type PreconditionFailed,
} from '../../items/item.ts'
import { type MediaAddresses, mentionedBy, type StoredImage, storedAmong } from '../../media/model.ts'
import type { ItemWrite } from '../../ports/item-store.ts'
import type { ContentPorts } from '../../ports/of-content.ts'
import type { ItemId } from '../../values/ids.ts'
import type { ValidationFailed } from '../../values/parameters.ts'
import { changeItem } from '../change-item.ts'
import type { UpdateError } from '../failures.ts'

/** An item as it is written: with every stored image that it shows or links to (D5). */
export const feedWrite = <I extends FeedItem>(
  addresses: MediaAddresses,
  item: I,
  act: Act,
  storesImages: ReadonlyArray<StoredImage> = [],
): ItemWrite<I> => ({
  item,
  storesImages,
  displaysImages: storedAmong([relatedFeedImage(item)]),
  act,
  linksToImages: mentionedBy(addresses, [item.content.link, item.content.vlink]),
})

/** What an edit of a post needs. */
export type FeedEditPorts = Pick<ContentPorts, 'feedItems' | 'clock' | 'mediaAddresses' | 'mediaStore'>

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
