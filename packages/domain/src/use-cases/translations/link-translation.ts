import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { TimedAct } from '../../access/acts.ts'
import { type Caller, type InsufficientScope, permitted } from '../../access/caller.ts'
import type { Counterpart, CounterpartNotFound } from '../../items/counterparts.ts'
import type { ItemNotFound } from '../../items/item.ts'
import type { ContentPorts } from '../../ports/of-content.ts'
import { ItemId } from '../../values/ids.ts'
import { parameters, type ValidationFailed } from '../../values/parameters.ts'
import type { Unavailable } from '../../values/ports.ts'

/** Parameters of PUT /library/<itemId>/translation. */
export const LinkTranslation = parameters({
  name: 'LinkTranslation',
  required: { itemId: ItemId, counterpartId: ItemId },
  optional: {},
})
export type LinkTranslation = typeof LinkTranslation._A

/** Links a publication to its counterpart in the other language, in place of earlier links of both (J7). No revision changes. */
export const makeLinkTranslation =
  (ports: Pick<ContentPorts, 'translations' | 'clock'>) =>
  (
    caller: Caller,
    { itemId, counterpartId }: LinkTranslation,
  ): TE.TaskEither<
    InsufficientScope | ItemNotFound | CounterpartNotFound | ValidationFailed | Unavailable,
    Counterpart
  > =>
    permitted(
      'linkTranslation',
      caller,
    )(() => {
      const act: TimedAct = { actor: caller.actor, action: 'link-translation', at: ports.clock.now() }
      return ports.translations.link(itemId, counterpartId, act)
    })
