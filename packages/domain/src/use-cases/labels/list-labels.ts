import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import type { ContentType } from '../../history/model.ts'
import { isVisible, type VisibilityPolicy, type Visible, visibilityFor } from '../../items/visibility.ts'
import type { Label } from '../../labels/label.ts'
import type { ContentPorts } from '../../ports/of-content.ts'
import { ItemId, LabelId } from '../../values/ids.ts'
import { parameters } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'

/** Parameters of GET /library/label, /library/<itemId>/label and the like. */
export const ListLabels = parameters({
  name: 'ListLabels',
  required: {},
  optional: { itemId: ItemId, labelId: LabelId },
})
export type ListLabels = typeof ListLabels._A

type Needs = 'labels' | 'libraryItems' | 'feedItems' | 'clock'

const findOn = (
  ports: Pick<ContentPorts, Needs>,
  contentType: ContentType,
  id: ItemId,
): TE.TaskEither<Unavailable, O.Option<Visible>> =>
  contentType === 'library' ? ports.libraryItems.find(id) : ports.feedItems.find(id)

/**
 * Returns all labels, or those of an item that the caller may see; with `labelId` only that label. Unknown and hidden items have none (E2).
 */
export const makeListLabels =
  (ports: Pick<ContentPorts, Needs>, policy: VisibilityPolicy) =>
  (contentType: ContentType) =>
  (
    caller: Caller,
    { itemId, labelId }: ListLabels,
  ): TE.TaskEither<InsufficientScope | Unavailable, ReadonlyArray<Label>> =>
    permitted(
      'listLabels',
      caller,
    )(() => {
      const isItemVisible = isVisible(visibilityFor(policy, ports.clock, caller))
      const ofItem = (id: ItemId) =>
        pipe(
          findOn(ports, contentType, id),
          TE.flatMap((item) =>
            O.isSome(item) && isItemVisible(item.value) ? ports.labels.ofItem(contentType, id) : TE.right([]),
          ),
        )
      return pipe(
        itemId === undefined ? ports.labels.all() : ofItem(itemId),
        TE.map((labels) => labels.filter((label) => labelId === undefined || label.labelId === labelId)),
      )
    })
