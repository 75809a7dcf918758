import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { endOfRetention } from '../../notifications/retention.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import type { Policy } from '../policy.ts'

/** Deletes one step of the notifications that ended longer ago than the policy says, if it says so (G8). Gives how many. */
export const makePurgeEndedNotifications =
  (ports: Pick<Ports, 'retention' | 'clock'>, { notificationDays }: Pick<Policy, 'notificationDays'>) =>
  (): TE.TaskEither<Unavailable, number> =>
    O.isNone(notificationDays)
      ? TE.right(0)
      : ports.retention.purgeNotifications(endOfRetention(ports.clock.now(), notificationDays.value))
