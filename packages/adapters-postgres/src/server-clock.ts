import type { Clock } from '@almoner/domain/ports'
import { instant } from '@almoner/domain/values'
import type { TimeSignal } from './connect.ts'

/** How far two clocks may run apart, in milliseconds for each millisecond: those of cheap machines do. */
const DRIFT = 1e-4

/** Milliseconds that time stands still for, rather than go back. A clock that was set back by more is followed. */
const STANDSTILL = 5000

/** A reading of the server's clock: what it is ahead of `performance.now()`, give or take `error`. */
interface Reading {
  readonly ahead: number
  readonly error: number
  readonly at: number
}

/** The database's clock, as far as this process knows it. */
interface ServerClock extends Clock {
  /** Takes note of what a server said. */
  take(signal: TimeSignal): void
}

/** Somewhere between question and answer the server had its time: most likely in the middle. */
const readingOf = ({ time, asked, answered }: TimeSignal): Reading => ({
  ahead: time - (asked + answered) / 2,
  error: (answered - asked) / 2,
  at: answered,
})

/**
 * A clock that follows the server's instead of this machine's, so that all processes on one database agree on due dates and leases. Between readings it runs on the machine's monotonic clock.
 * @param local milliseconds that only grow
 */
export const makeServerClock = (local: () => number = () => performance.now()): ServerClock => {
  let best: Reading | undefined
  let last = 0

  /** A new reading is taken when it is no vaguer than the old one has become, or when both cannot be true. */
  const isBetter = (reading: Reading, old: Reading): boolean => {
    const error = old.error + (reading.at - old.at) * DRIFT
    return reading.error <= error || Math.abs(reading.ahead - old.ahead) > reading.error + error
  }

  return {
    take: (signal) => {
      const reading = readingOf(signal)
      if (best === undefined || isBetter(reading, best)) best = reading
    },
    now: () => {
      if (best === undefined) throw new Error('the clock was asked before any server was')
      const time = Math.floor(local() + best.ahead)
      if (time >= last || last - time > STANDSTILL) last = time
      return instant(last)
    },
    elapsed: local,
  }
}
