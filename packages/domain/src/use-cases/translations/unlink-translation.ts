import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { TimedAct } from '../../access/acts.ts'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import type { CounterpartNotFound } from '../../items/counterparts.ts'
import type { ItemNotFound } from '../../items/item.ts'
import type { ContentPorts } from '../../ports/of-content.ts'
import { ItemId } from '../../values/ids.ts'
import { parameters } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'

/** Parameters of DELETE /library/<itemId>/translation. */
export const UnlinkTranslation = parameters({
  name: 'UnlinkTranslation',
  required: { itemId: ItemId },
  optional: {},
})
export type UnlinkTranslation = typeof UnlinkTranslation._A

/** Removes the link between a publication and its counterpart; without one, the counterpart is not found (J7). No revision changes. */
export const makeUnlinkTranslation =
  (ports: Pick<ContentPorts, 'translations' | 'clock'>) =>
  (
    caller: Caller,
    { itemId }: UnlinkTranslation,
  ): TE.TaskEither<InsufficientScope | ItemNotFound | CounterpartNotFound | Unavailable, void> =>
    permitted(
      'unlinkTranslation',
      caller,
    )(() => {
      const act: TimedAct = { actor: caller.actor, action: 'unlink-translation', at: ports.clock.now() }
      return ports.translations.unlink(itemId, act)
    })
