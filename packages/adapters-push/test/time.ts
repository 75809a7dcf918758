import type { StartTimer } from '../src/connections.ts'

/** Milliseconds that a push is given where its test is not about time: more than the slowest machine takes. */
export const PATIENT = 600_000

/** Timers that a test rings. */
export const manualTimers = () => {
  const running = new Map<() => void, number>()
  const startTimer: StartTimer = (milliseconds, ring) => {
    running.set(ring, milliseconds)
    return () => running.delete(ring)
  }
  return {
    startTimer,
    /** The lengths of the running ones, in milliseconds. */
    running: (): ReadonlyArray<number> => [...running.values()],
    /** Ends the time of all that run. */
    ring: (): void => {
      for (const ring of running.keys()) ring()
      running.clear()
    },
  }
}
