import { DatabaseUnavailable } from './database.ts'

/** The limits of a semaphore. */
export interface SemaphoreOptions {
  readonly permits: number
  /** How many may wait for a permit. */
  readonly queueLimit: number
  /** For how many milliseconds each of them waits. */
  readonly timeout: number
}

/** Limits how many use something at a time. The others wait in the order they came. */
export interface Semaphore {
  /** Returns the function that releases a permit. Throws {@link DatabaseUnavailable} when none is to be had in time. */
  acquire(): Promise<() => void>
  /** Rejects new requests; resolves when all permits have been released. */
  drain(): Promise<void>
}

/** Makes a semaphore with all its permits. */
export const makeSemaphore = ({ permits, queueLimit, timeout }: SemaphoreOptions): Semaphore => {
  // A Set remembers the order in which its members came.
  const waiting = new Set<() => void>()
  const idle = Promise.withResolvers<void>()
  let [used, isDraining] = [0, false]

  const release = () => {
    used -= 1
    const [next] = waiting
    if (next !== undefined) next()
    else if (isDraining && used === 0) idle.resolve()
  }
  const permit = () => {
    used += 1
    let isHeld = true
    return () => {
      if (isHeld) release()
      isHeld = false
    }
  }
  const wait = (): Promise<() => void> => {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const timer = setTimeout(() => {
      waiting.delete(proceed)
      reject(new DatabaseUnavailable('the database has been busy for too long'))
    }, timeout)
    const proceed = () => {
      clearTimeout(timer)
      waiting.delete(proceed)
      resolve(permit())
    }
    waiting.add(proceed)
    return promise
  }

  return {
    async acquire() {
      if (isDraining) throw new DatabaseUnavailable('the database is closed')
      if (used < permits) return permit()
      if (waiting.size >= queueLimit) throw new DatabaseUnavailable('too many wait for the database')
      return wait()
    },
    drain() {
      isDraining = true
      if (used === 0) idle.resolve()
      return idle.promise
    },
  }
}
