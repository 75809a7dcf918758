import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type Caller, holds, type InsufficientScope, insufficientScope } from '../access/caller.ts'
import type { FeedItem } from './feed-item.ts'
import { ITEM_NOT_FOUND, type ItemNotFound } from './item.ts'
import { maySee, type Sight } from './visibility.ts'

/**
 * Who may put an image on a post (D4): a content manager always; anyone else only on a Draft that has none yet, so that what
 * was approved does not change behind the manager's back. Whoever may not is told so only of a post that it may see.
 */
export const mayIllustrate =
  (caller: Caller, sight: Sight) =>
  (item: FeedItem): E.Either<InsufficientScope | ItemNotFound, FeedItem> => {
    const open = item.status === 'Draft' && O.isNone(item.content.image)
    if (open || holds(caller, 'content-manager')) return E.right(item)
    return E.left(maySee(sight)(item) ? insufficientScope('content-manager') : ITEM_NOT_FOUND)
  }
