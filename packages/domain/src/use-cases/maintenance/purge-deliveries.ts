import type * as TE from 'fp-ts/lib/TaskEither.js'
import { endOfRetention } from '../../notifications/retention.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import type { Policy } from '../policy.ts'

/** Deletes one step of the per-device rows of notifications that ended longer ago than the policy says (G8). Gives how many. */
export const makePurgeDeliveries =
  (ports: Pick<Ports, 'retention' | 'clock'>, { deliveryDays }: Pick<Policy, 'deliveryDays'>) =>
  (): TE.TaskEither<Unavailable, number> =>
    ports.retention.purgeDeliveries(endOfRetention(ports.clock.now(), deliveryDays))
