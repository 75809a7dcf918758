import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import { RevisionCursor } from '../../history/queries.ts'
import type { ContentType, Revision } from '../../history/record.ts'
import type { HistoryPorts } from '../../ports/of-history.ts'
import { ItemId } from '../../values/ids.ts'
import { dropOffsetWithoutLimit, Lim, Offset, pageRequest, type ResultSet } from '../../values/page.ts'
import { parameters } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'

/** Parameters of GET /library/<itemId>/history and GET /feed/<itemId>/history. */
export const ListRevisions = parameters({
  name: 'ListRevisions',
  required: { itemId: ItemId },
  optional: { lim: Lim, offset: Offset, after: RevisionCursor },
  prepare: dropOffsetWithoutLimit,
})
export type ListRevisions = typeof ListRevisions._A

/** The revisions of an item, newest first; none for an unknown item (K2). */
export const makeListRevisions =
  (ports: Pick<HistoryPorts, 'history'>, contentType: ContentType) =>
  (
    caller: Caller,
    asked: ListRevisions,
  ): TE.TaskEither<InsufficientScope | Unavailable, ResultSet<Revision, number>> =>
    permitted(
      'listRevisions',
      caller,
    )(() => ports.history.revisions({ contentType, itemId: asked.itemId }, pageRequest(asked)))
