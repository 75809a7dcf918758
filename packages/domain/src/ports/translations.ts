import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { TimedAct } from '../access/acts.ts'
import type { Counterpart, CounterpartNotFound } from '../items/counterparts.ts'
import type { ItemNotFound } from '../items/item.ts'
import type { ItemId } from '../values/ids.ts'
import type { ValidationFailed } from '../values/parameters.ts'
import type { Unavailable } from '../values/ports.ts'

/** Links between publications that are translations of each other (J7). They change no item. A change with an act leaves a record (K1). */
export interface Translations {
  /** Returns the counterparts of these items, regardless of visibility; items without one are left out. At most a few hundred ids. */
  ofItems(ids: ReadonlyArray<ItemId>): TaskEither<Unavailable, ReadonlyMap<ItemId, Counterpart>>
  /**
   * Links two items and returns the counterpart. Earlier links of both are replaced. An unknown item comes before an unknown counterpart, and
   * ValidationFailed means that both have the same language.
   */
  link(
    id: ItemId,
    counterpartId: ItemId,
    act?: TimedAct,
  ): TaskEither<ItemNotFound | CounterpartNotFound | ValidationFailed | Unavailable, Counterpart>
  /** Removes the link of an item, from either side. CounterpartNotFound if it has none. */
  unlink(id: ItemId, act?: TimedAct): TaskEither<ItemNotFound | CounterpartNotFound | Unavailable, void>
}
