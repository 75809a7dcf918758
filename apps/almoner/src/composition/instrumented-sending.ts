import type { PushMetrics } from '@almoner/adapters-http'
import type { Ports } from '@almoner/domain'
import { type DeliveryResult, providerOf, type Settled } from '@almoner/domain/delivery'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'

type Sending = Pick<Ports, 'pushGateway' | 'deliveries'>

/** Returns the providers of the devices that were recorded as dead, which detached them. */
const detachedAmong = (results: ReadonlyArray<DeliveryResult>, settled: ReadonlyArray<Settled>) => {
  const isDead = new Set(
    settled.flatMap((one) => (one.kind === 'ended' && one.outcome === 'dead' ? [one.deviceId] : [])),
  )
  return results.flatMap((result) =>
    result.kind === 'unregistered' && isDead.has(result.deviceId) ? [providerOf(result.origin)] : [],
  )
}

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
        TE.tapIO((recorded) => () => detachedAmong(results, recorded.results).forEach(detached)),
      ),
  },
})
