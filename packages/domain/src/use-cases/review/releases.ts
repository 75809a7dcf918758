import type * as TE from 'fp-ts/lib/TaskEither.js'
import { inProviderOrder, type Provider } from '../../people/destinations.ts'
import type { DeliveryPorts } from '../../ports/of-delivery.ts'
import type { Unavailable } from '../../values/ports.ts'
import type { Lanes } from './lanes.ts'

/**
 * Makes a step that releases devices which wait for their origin (G5, G15): of open origins up to the demand of this process, and one
 * device of each origin whose next probe is due. Gives how many it has released.
 * @param carried the providers that this process sends by
 */
export const makeRelease = (
  { deliveries, clock, random }: Pick<DeliveryPorts, 'deliveries' | 'clock' | 'random'>,
  carried: ReadonlySet<Provider>,
  { demand }: Pick<Lanes, 'demand'>,
): TE.TaskEither<Unavailable, number> => {
  const by = inProviderOrder(carried)
  return () =>
    deliveries.releaseDeferred({ now: clock.now(), by, room: demand, fraction: random.fraction() })()
}
