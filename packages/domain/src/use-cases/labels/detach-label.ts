import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { TimedAct } from '../../access/acts.ts'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import type { ContentType } from '../../history/model.ts'
import type { ItemNotFound } from '../../items/item.ts'
import type { LabelNotFound } from '../../labels/label.ts'
import type { ContentPorts } from '../../ports/of-content.ts'
import type { Unavailable } from '../../values/ports.ts'
import type { ItemAndLabel } from './attach-label.ts'

/** Detaches a label; one that the item does not carry is not found (E2). */
export const makeDetachLabel =
  (ports: Pick<ContentPorts, 'labels' | 'clock'>) =>
  (contentType: ContentType) =>
  (
    caller: Caller,
    { itemId, labelId }: ItemAndLabel,
  ): TE.TaskEither<InsufficientScope | ItemNotFound | LabelNotFound | Unavailable, void> =>
    permitted(
      'detachLabel',
      caller,
    )(() => {
      const act: TimedAct = { actor: caller.actor, action: 'detach-label', at: ports.clock.now() }
      return ports.labels.detach(contentType, itemId, labelId, act)
    })
