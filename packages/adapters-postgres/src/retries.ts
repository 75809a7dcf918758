import { setTimeout as pause } from 'node:timers/promises'
import { isConflict, isConnectionLost, isConstraintBroken, isInternal } from './fault.ts'

/**
 * How often work may be run again for each reason, and the milliseconds before the first time; each next one waits about twice as long. What cuts all
 * connections may also cut new ones, and takes a moment to do so.
 */
const RETRIES = {
  conflict: { most: 9, first: 2 },
  constraint: { most: 2, first: 2 },
  internal: { most: 1, first: 2 },
  lost: { most: 4, first: 20 },
}

type Reason = keyof typeof RETRIES

/** Milliseconds of the longest pause, and after which work that lost its connection is not run again. */
const LONGEST = 200
const PATIENCE = 2000

const reasonOf = (cause: unknown): Reason | undefined => {
  if (isConflict(cause)) return 'conflict'
  if (isConstraintBroken(cause)) return 'constraint'
  if (isInternal(cause)) return 'internal'
  return isConnectionLost(cause) ? 'lost' : undefined
}

/** Runs work again while a fault is one that passes. It must have left nothing behind when it throws one. */
export const withRetry = async <A>(work: () => Promise<A>): Promise<A> => {
  const begun = performance.now()
  const runs: Record<Reason, number> = { conflict: 0, constraint: 0, internal: 0, lost: 0 }
  for (;;) {
    try {
      return await work()
    } catch (cause) {
      const reason = reasonOf(cause)
      if (reason === undefined || runs[reason] === RETRIES[reason].most) throw cause
      if (reason === 'lost' && performance.now() - begun > PATIENCE) throw cause
      const longest = Math.min(RETRIES[reason].first * 2 ** runs[reason], LONGEST)
      runs[reason] += 1
      await pause(Math.random() * longest)
    }
  }
}
