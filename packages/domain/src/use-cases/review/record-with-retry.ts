import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Batch, ClaimLost, DeliveryResult, Recorded } from '../../notifications/batch.ts'
import type { Shortened } from '../../notifications/model.ts'
import type { DeliveryPorts } from '../../ports/of-delivery.ts'
import type { Unavailable } from '../../values/ports.ts'
import { SECOND } from '../../values/time.ts'

/** How long to wait before each further try, in milliseconds. Should the tries outlast the lease, its fence keeps the ledger right. */
const WAITS = [0.1 * SECOND, 0.5 * SECOND, 2 * SECOND, 5 * SECOND]

/**
 * Records results of pushes that were sent. A failed write is retried for a while: a result that is not in the ledger would
 * be taken a second time.
 */
export const recordWithRetry =
  (
    ports: Pick<DeliveryPorts, 'deliveries' | 'pushGateway' | 'clock' | 'timer'>,
    { claim }: Batch,
    shortened: Shortened,
  ) =>
  (results: ReadonlyArray<DeliveryResult>, last: boolean): TE.TaskEither<ClaimLost | Unavailable, Recorded> =>
  async () => {
    const { credentials = {} } = ports.pushGateway
    const attempt = () =>
      ports.deliveries.record(claim, results, { now: ports.clock.now(), last, credentials, shortened })()
    let kept = await attempt()
    for (const wait of WAITS) {
      if (E.isRight(kept) || kept.left._tag === 'ClaimLost') return kept
      await ports.timer.wait(wait)()
      kept = await attempt()
    }
    return kept
  }
