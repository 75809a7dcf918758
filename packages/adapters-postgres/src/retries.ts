import { setTimeout as pause } from 'node:timers/promises'
import { isConflict, isConnectionLost, isConstraintBroken } from './fault.ts'

/** How often work may be run again for each reason. What cuts all connections may also cut new ones. */
const RETRIES = { conflict: 9, constraint: 2, lost: 4 }

/** Milliseconds before the first retry; each next one waits about twice as long, up to the last. */
const BACKOFF = { first: 2, last: 200 }

const reasonOf = (cause: unknown): keyof typeof RETRIES | undefined => {
  if (isConflict(cause)) return 'conflict'
  if (isConstraintBroken(cause)) return 'constraint'
  return isConnectionLost(cause) ? 'lost' : undefined
}

/** Runs work again while a fault is one that passes. It must have left nothing behind when it throws one. */
export const withRetry = async <A>(work: () => Promise<A>): Promise<A> => {
  const left = { ...RETRIES }
  for (let longest = BACKOFF.first; ; longest = Math.min(2 * longest, BACKOFF.last)) {
    try {
      return await work()
    } catch (cause) {
      const reason = reasonOf(cause)
      if (reason === undefined || left[reason] === 0) throw cause
      left[reason] -= 1
      await pause(Math.random() * longest)
    }
  }
}
