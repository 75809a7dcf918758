import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, permitted } from '../../access/caller.ts'
import { removeFeedImage } from '../../items/feed-edits.ts'
import type { FeedItem } from '../../items/feed-item.ts'
import { checkPrecondition, type Precondition, type PreconditionFailed } from '../../items/item.ts'
import type { ImageNeeded, ImageNotFound } from '../../items/library-edits.ts'
import type { ContentPorts } from '../../ports/of-content.ts'
import { changeItem } from '../change-item.ts'
import type { RemoveError } from '../failures.ts'
import type { OneFeedImage } from './upload-feed-image.ts'
import { feedWrite } from './writes.ts'

type Needs = 'feedItems' | 'clock' | 'mediaStore' | 'mediaAddresses'

/** Removes a post's uploaded image, unless a Live post needs it (C8, D3). */
export const makeRemoveFeedImage =
  (ports: Pick<ContentPorts, Needs>) =>
  (caller: Caller, { itemId }: OneFeedImage, expected: Precondition): TE.TaskEither<RemoveError, FeedItem> =>
    permitted(
      'removeFeedImage',
      caller,
    )(() =>
      changeItem(ports.feedItems, ports.mediaStore, itemId, (current) =>
        pipe(
          checkPrecondition(expected)(current),
          E.flatMap(
            (item): E.Either<PreconditionFailed | ImageNeeded | ImageNotFound, FeedItem> =>
              removeFeedImage(item, ports.clock.now()),
          ),
          E.map((item) =>
            feedWrite(ports.mediaAddresses, item, { actor: caller.actor, action: 'remove-image' }),
          ),
        ),
      ),
    )
