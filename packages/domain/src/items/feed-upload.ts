import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type Caller, hasScope, type InsufficientScope, insufficientScope } from '../access/caller.ts'
import type { FeedItem } from './feed-item.ts'
import { ITEM_NOT_FOUND, type ItemNotFound } from './item.ts'
import { isVisible, type Visibility } from './visibility.ts'

/**
 * Rejects callers who may not add an image to a post (D4). A content manager always may; other callers only on a Draft without an image, so
 * that approved posts do not change. The failure is ItemNotFound for a post that the caller cannot see.
 */
export const mayIllustrate =
  (caller: Caller, visibility: Visibility) =>
  (item: FeedItem): E.Either<InsufficientScope | ItemNotFound, FeedItem> => {
    const open = item.status === 'Draft' && O.isNone(item.content.image)
    if (open || hasScope(caller, 'content-manager')) return E.right(item)
    return E.left(isVisible(visibility)(item) ? insufficientScope('content-manager') : ITEM_NOT_FOUND)
  }
