import type * as TE from 'fp-ts/lib/TaskEither.js'
import { COPY_DAYS } from '../../desk/working-copy.ts'
import { endOfRetention } from '../../notifications/retention.ts'
import type { Ports } from '../../ports/index.ts'
import type { Unavailable } from '../../ports/unavailable.ts'

/** Deletes a bounded number of working copies, 90 days after their last change; returns how many (M7). */
export const makePurgeCopies =
  (ports: Pick<Ports, 'clock' | 'workingCopies'>) => (): TE.TaskEither<Unavailable, number> =>
    ports.workingCopies.purge(endOfRetention(ports.clock.now(), COPY_DAYS))
