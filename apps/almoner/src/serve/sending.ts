import type { AskSending } from '@almoner/adapters-http'
import type { Ports } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'

/** What waits to be sent and which providers are paused; undefined while the store does not answer. */
export const askSending =
  ({ deliveries, providers, clock }: Pick<Ports, 'deliveries' | 'providers' | 'clock'>): AskSending =>
  async () => {
    const now = clock.now()
    const [queue, states] = await Promise.all([deliveries.queue(now)(), providers.states(now)()])
    return E.isRight(queue) && E.isRight(states)
      ? { now, queue: queue.right, providers: states.right }
      : undefined
  }
