import { type FailedAttempts, type Instant, isRecentFailure } from '@almoner/domain'
import { memoryFailedAttempts } from '@almoner/domain/memory'
import type { Failure } from './talk.ts'

/** Wrong credentials that count together in several processes (A8). */
export interface SharedFailures extends FailedAttempts {
  /** Takes note of those that others have seen. */
  readonly hear: (...failures: ReadonlyArray<Failure>) => void
}

/**
 * Failed attempts in this process and, as soon as they are told, in the others. What is checked elsewhere at the same moment is not
 * known yet: a source gets through at most the checks that the other processes have under way.
 */
export const sharedFailures = (tell: (failure: Failure) => void): SharedFailures => {
  const known = memoryFailedAttempts()
  return {
    of: known.of,
    add: (...failure) => {
      known.add(...failure)
      tell(failure)
    },
    hear: (...failures) => {
      for (const failure of failures) known.add(...failure)
    },
  }
}

/** Failures kept for processes that begin. Two of each check, and a process can do no more than a few thousand checks in a minute. */
const CAPACITY = 20_000

/** Remembers what the processes tell, for those that begin later. */
export interface FailureLog {
  readonly add: (failure: Failure) => void
  /** Those of the last minute, oldest first. */
  readonly recent: (now: Instant) => ReadonlyArray<Failure>
}

/** Failures of the last minute, no more than `capacity`. */
export const failureLog = (capacity = CAPACITY): FailureLog => {
  let failures: Array<Failure> = []
  return {
    add: (failure) => {
      failures.push(failure)
      // Twice as many as wanted, so that cutting is rare.
      if (failures.length >= 2 * capacity) failures = failures.slice(-capacity)
    },
    recent: (now) => {
      failures = failures.slice(-capacity).filter(([, , at]) => isRecentFailure(at, now))
      return failures
    },
  }
}
