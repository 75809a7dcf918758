import type { Ports } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { progressOn, type Terminal } from '../../terminal.ts'

/** Milliseconds between two updates. */
const STEP = 500

const shown = (n: number): string => Math.round(n).toLocaleString('en')

/** Describes a review: pushes so far and a second, and the devices left, for all processes. */
export const reviewText = (sent: number, after: number, pending: number): string =>
  `sending: ${shown(sent)} pushes, ${shown((sent / Math.max(after, 1)) * 1000)} a second, ${shown(pending)} devices left`

type Sending = Pick<Ports, 'pushGateway' | 'deliveries' | 'clock'>

/** Shows the progress of a review that sends by the returned gateway, on a terminal only. `end` clears it. */
export const watchReview = (
  { pushGateway, deliveries, clock }: Sending,
  terminal: Pick<Terminal, 'isTerminal' | 'err'>,
): { readonly pushGateway: Ports['pushGateway']; readonly end: () => void } => {
  if (!terminal.isTerminal) return { pushGateway, end: () => {} }
  const progress = progressOn(terminal)
  const begun = performance.now()
  let sent = 0
  let isOver = false
  const look = async () => {
    const queue = await deliveries.queue(clock.now())()
    if (E.isRight(queue) && !isOver)
      progress(reviewText(sent, performance.now() - begun, queue.right.pending))
  }
  const looking = setInterval(() => void look(), STEP)
  return {
    pushGateway: {
      ...pushGateway,
      send: (push) => async () => {
        const result = await pushGateway.send(push)()
        sent += 1
        return result
      },
    },
    end: () => {
      isOver = true
      clearInterval(looking)
      progress('')
    },
  }
}
