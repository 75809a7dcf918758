import { makeRestoreFeedRevision, makeRestoreLibraryRevision } from '../content/restoring.ts'
import { makeListRevisions } from '../history/use-cases.ts'
import type { Policy } from '../policy.ts'
import type { Ports } from '../ports.ts'

/** The history of publications. */
export interface LibraryHistory {
  /**
   * Lists the revisions of a publication, newest first (K2). An unknown one has none.
   * Fails with InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.history.library.list(manager, { itemId: item.id })
   * ```
   */
  readonly list: ReturnType<typeof makeListRevisions>
  /**
   * Updates a publication with the values after one of its revisions (K2), under the conditions of any update.
   * Fails with HasCounterpart, IllegalTransition, InsufficientScope, ItemNotFound, PreconditionFailed, RevisionImageGone,
   * RevisionNotFound, ValidationFailed, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const unchanged = some(new Set([item.revision]))
   * await almoner.promises.history.library.restore(manager, { itemId: item.id, number: 2 }, unchanged)
   * ```
   */
  readonly restore: ReturnType<typeof makeRestoreLibraryRevision>
}

/** The history of posts. */
export interface FeedHistory {
  /**
   * Lists the revisions of a post, newest first (K2). An unknown one has none.
   * Fails with InsufficientScope, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const result = await almoner.promises.history.feed.list(manager, { itemId: item.id })
   * ```
   */
  readonly list: ReturnType<typeof makeListRevisions>
  /**
   * Updates a post with the values after one of its revisions (K2), under the conditions of any update.
   * Fails with HasCounterpart, IllegalTransition, InsufficientScope, ItemNotFound, PreconditionFailed, RevisionImageGone,
   * RevisionNotFound, ValidationFailed, Unavailable or OutcomeUnknown.
   *
   * @example
   * ```ts
   * const unchanged = some(new Set([item.revision]))
   * await almoner.promises.history.feed.restore(manager, { itemId: item.id, number: 2 }, unchanged)
   * ```
   */
  readonly restore: ReturnType<typeof makeRestoreFeedRevision>
}

/** Revisions of items. */
export interface HistoryArea {
  readonly library: LibraryHistory
  readonly feed: FeedHistory
}

/** Binds the use cases of the history to ports and a policy. */
export const makeHistoryArea = (ports: Ports, policy: Policy): HistoryArea => ({
  library: { list: makeListRevisions(ports, 'library'), restore: makeRestoreLibraryRevision(ports, policy) },
  feed: { list: makeListRevisions(ports, 'feed'), restore: makeRestoreFeedRevision(ports) },
})
