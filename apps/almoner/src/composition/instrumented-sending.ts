import type { PushMetrics } from '@almoner/adapters-http'
import type { Ports } from '@almoner/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'

type Sending = Pick<Ports, 'pushGateway' | 'deliveries'>

/** Adds every push and every detached token to the metrics. */
export const instrumentedSending = (
  { pushGateway, deliveries }: Sending,
  { push: onPush, detached }: PushMetrics,
): Sending => ({
  pushGateway: {
    ...pushGateway,
    send: (push) => async () => {
      const begun = performance.now()
      const result = await pushGateway.send(push)()
      onPush(push.destination.provider, result, performance.now() - begun)
      return result
    },
  },
  deliveries: {
    ...deliveries,
    record: (claim, results, at) =>
      pipe(
        deliveries.record(claim, results, at),
        TE.tapIO((recorded) => () => {
          for (const result of recorded.results) if (result.kind === 'unregistered') detached(result.provider)
        }),
      ),
  },
})
