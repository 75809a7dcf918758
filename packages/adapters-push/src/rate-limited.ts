import { holdBack, type PushResult } from '@almoner/domain/notifications'
import { type Clock, elapsed, type PushGateway, type Timer } from '@almoner/domain/ports'
import { MINUTE } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'

/** A pace. */
export interface Rate {
  /** Most sends in any minute; two at least. */
  readonly perMinute: number
  /** The longest that a send is kept waiting, in milliseconds. */
  readonly maxWait: number
  readonly clock: Clock
  readonly timer: Timer
}

/** A send may go so much before its moment, in milliseconds: a timer for each of ten thousand a second would cost more than it gives. */
const EARLY = 10

/** Milliseconds from one moment to the next, so that a minute with all that may be early in it still holds no more than it may. */
const intervalOf = (perMinute: number): number => (MINUTE + EARLY) / (perMinute - 1)

/** Returns the longest wait of a send in milliseconds, with at most this number of sends in flight. */
export const longestWait = (perMinute: number, underWay: number): number =>
  Math.ceil(underWay * intervalOf(perMinute))

/**
 * Limits a gateway to this number of sends a minute, evenly and without bursts. A send that would have to wait too long resolves to Retry with
 * that time, for all of its provider, and uses no quota. A step of the clock changes no moment of a send (I9).
 */
export const rateLimited = (
  gateway: PushGateway,
  { perMinute, maxWait, clock, timer }: Rate,
): PushGateway => {
  const interval = intervalOf(perMinute)
  /** The moment of the next send. */
  let next = Number.NEGATIVE_INFINITY
  /** How many wait for theirs. */
  let waiting = 0

  /** Returns the time until the next send, limited by the number of waiting ones in case the clock was set back. */
  const ahead = (now: number): number => Math.min(Math.max(next - now, 0), EARLY + (waiting + 1) * interval)

  const pass = async (milliseconds: number): Promise<void> => {
    waiting += 1
    await timer.wait(milliseconds)()
    waiting -= 1
  }

  return {
    ...gateway,
    send: (push) => async (): Promise<PushResult> => {
      const now = elapsed(clock)
      const moment = now + ahead(now)
      const wait = Math.ceil(moment - EARLY - now)
      if (wait > maxWait) return holdBack(O.some(wait))
      next = moment + interval
      if (wait > 0) await pass(wait)
      return gateway.send(push)()
    },
  }
}
