import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Receipt } from '../../access/acts.ts'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import { setFeedImage } from '../../items/feed-edits.ts'
import type { FeedItem } from '../../items/feed-item.ts'
import { mayIllustrate } from '../../items/feed-upload.ts'
import {
  checkPrecondition,
  type ItemNotFound,
  type Precondition,
  type PreconditionFailed,
} from '../../items/item.ts'
import { type VisibilityPolicy, visibilityFor } from '../../items/visibility.ts'
import { FEED_IMAGE } from '../../media/model.ts'
import type { ContentPorts } from '../../ports/of-content.ts'
import { ItemId } from '../../values/ids.ts'
import { parameters } from '../../values/parameters.ts'
import { changeItem } from '../change-item.ts'
import type { UploadError } from '../failures.ts'
import { lookUp } from '../look-up.ts'
import { storeUpload } from '../store-upload.ts'
import { feedWrite } from './writes.ts'

/** Parameters of POST and DELETE /feed/<itemId>/media. */
export const OneFeedImage = parameters({ name: 'OneFeedImage', required: { itemId: ItemId }, optional: {} })
export type OneFeedImage = typeof OneFeedImage._A

type Needs = 'feedItems' | 'clock' | 'imageChecker' | 'mediaStore' | 'mediaAddresses' | 'secrets'

/** Stores an image of 400 × 560 pixels as the post's (D1, D3), if the caller may (D4). */
export const makeUploadFeedImage =
  (ports: Pick<ContentPorts, Needs>, policy: VisibilityPolicy) =>
  (
    caller: Caller,
    { itemId }: OneFeedImage,
    bytes: Uint8Array,
    expected: Precondition,
    receipt?: Receipt<FeedItem>,
  ): TE.TaskEither<UploadError, FeedItem> =>
    permitted(
      'uploadFeedImage',
      caller,
    )(() => {
      const may = mayIllustrate(caller, visibilityFor(policy, ports.clock, caller))
      const allowed = (
        item: FeedItem,
      ): E.Either<InsufficientScope | ItemNotFound | PreconditionFailed, FeedItem> =>
        pipe(
          may(item),
          E.flatMap(
            (mine): E.Either<InsufficientScope | ItemNotFound | PreconditionFailed, FeedItem> =>
              checkPrecondition(expected)(mine),
          ),
        )
      return pipe(
        lookUp(ports.feedItems, itemId, allowed),
        TE.flatMap(() =>
          storeUpload(ports, caller, bytes, FEED_IMAGE, (image) =>
            changeItem(
              ports.feedItems,
              ports.mediaStore,
              itemId,
              (current) =>
                pipe(
                  allowed(current),
                  E.map((item) => setFeedImage(item, image.name, ports.clock.now())),
                  E.map((item) =>
                    feedWrite(ports.mediaAddresses, item, { actor: caller.actor, action: 'upload-image' }, [
                      image,
                    ]),
                  ),
                ),
              receipt,
            ),
          ),
        ),
      )
    })
