import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Receipt, TimedAct } from '../../access/acts.ts'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import type { ContentType } from '../../history/model.ts'
import type { ItemNotFound } from '../../items/item.ts'
import type { Label, LabelNotFound } from '../../labels/label.ts'
import type { ContentPorts } from '../../ports/of-content.ts'
import { ItemId, LabelId } from '../../values/ids.ts'
import { parameters } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'

/** Parameters of POST /library/<itemId>/label, DELETE /library/<itemId>/label/<labelId> and the like. */
export const ItemAndLabel = parameters({
  name: 'ItemAndLabel',
  required: { itemId: ItemId, labelId: LabelId },
  optional: {},
})
export type ItemAndLabel = typeof ItemAndLabel._A

/** Attaches a label to an item; twice is the same as once (E2). The item's revision stays (C10). */
export const makeAttachLabel =
  (ports: Pick<ContentPorts, 'labels' | 'clock'>) =>
  (contentType: ContentType) =>
  (
    caller: Caller,
    { itemId, labelId }: ItemAndLabel,
    receipt?: Receipt<Label>,
  ): TE.TaskEither<InsufficientScope | ItemNotFound | LabelNotFound | Unavailable, Label> =>
    permitted(
      'attachLabel',
      caller,
    )(() => {
      const act: TimedAct = { actor: caller.actor, action: 'attach-label', at: ports.clock.now() }
      return ports.labels.attach(contentType, itemId, labelId, receipt, act)
    })
