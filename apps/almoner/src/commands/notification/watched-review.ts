import type { Ports } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { progressOn, type Terminal } from '../../terminal.ts'

/** Milliseconds between two signs of progress. */
const STEP = 500

const shown = (n: number): string => Math.round(n).toLocaleString('en')

/** How a review goes: pushes so far and a second, and the devices that are yet to be sent to, by all processes. */
export const reviewText = (sent: number, after: number, pending: number): string =>
  `sending: ${shown(sent)} pushes, ${shown((sent / Math.max(after, 1)) * 1000)} a second, ${shown(pending)} devices left`

type Sending = Pick<Ports, 'pushGateway' | 'deliveries' | 'clock'>

/** A review that somebody watches. */
export interface WatchedReview {
  /** The gateway by which it has to send. */
  readonly pushGateway: Ports['pushGateway']
  /** Ends the watch, and takes away what it showed. */
  readonly end: () => void
}

/** Shows how a review goes until it ends, where somebody watches; else the gateway is the one that was given. */
export const watchReview = (
  { pushGateway, deliveries, clock }: Sending,
  terminal: Pick<Terminal, 'isTerminal' | 'err'>,
): WatchedReview => {
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
