import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Caller, InsufficientScope } from '../../access/caller.ts'
import { asExpected, type Expectation, type Stale } from '../../items/expectation.ts'
import { dropFeedImage } from '../../items/feed-edits.ts'
import type { FeedItem } from '../../items/feed-item.ts'
import type { ItemNotFound } from '../../items/item.ts'
import type { ImageNeeded, ImageNotFound } from '../../items/library-edits.ts'
import type { Ports } from '../../ports/index.ts'
import type { ImageGone } from '../../ports/item-store.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import { discard } from '../discard.ts'
import { guarded } from '../guarded.ts'
import type { OneFeedImage } from './upload-feed-image.ts'
import { feedWrite } from './writes.ts'

type Needs = 'feedItems' | 'clock' | 'mediaStore' | 'mediaAddresses'

export type RemoveFeedImageError =
  | InsufficientScope
  | ItemNotFound
  | Stale
  | ImageNeeded
  | ImageNotFound
  | ImageGone
  | Unavailable

/** Removes a post's uploaded image, unless a Live post needs it (C8, D3). */
export const makeRemoveFeedImage =
  (ports: Pick<Ports, Needs>) =>
  (
    caller: Caller,
    { itemId }: OneFeedImage,
    expected: Expectation,
  ): TE.TaskEither<RemoveFeedImageError, FeedItem> =>
    guarded('removeFeedImage', caller, () =>
      pipe(
        ports.feedItems.change(itemId, (current) =>
          pipe(
            asExpected(expected)(current),
            E.flatMap(
              (item): E.Either<Stale | ImageNeeded | ImageNotFound, FeedItem> =>
                dropFeedImage(item, ports.clock.now()),
            ),
            E.map((item) => feedWrite(ports.mediaAddresses, item)),
          ),
        ),
        TE.tap(({ orphans }) => discard(ports.mediaStore, orphans)),
        TE.map(({ item }) => item),
      ),
    )
