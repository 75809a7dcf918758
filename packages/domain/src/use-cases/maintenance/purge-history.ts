import type * as TE from 'fp-ts/lib/TaskEither.js'
import { endOfRetention } from '../../notifications/retention.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'
import type { Policy } from '../policy.ts'

/** Deletes one step of the audit records that are older than the policy says, except items' latest revisions (K3). Gives how many. */
export const makePurgeHistory =
  (ports: Pick<Ports, 'history' | 'clock'>, { historyDays }: Pick<Policy, 'historyDays'>) =>
  (): TE.TaskEither<Unavailable, number> =>
    ports.history.purge(endOfRetention(ports.clock.now(), historyDays))
