import { type FailedAttempts, type Instant, isRecentFailure, remember } from '../src/all.ts'

/** Maximum number of keys; beyond it the keys that failed longest ago are dropped first. */
const CAPACITY = 20_000

/** Failed attempts in this process. Servers use this adapter too, because a restart loses only the last minute. */
export const memoryFailedAttempts = (capacity = CAPACITY): FailedAttempts => {
  const failures = new Map<string, ReadonlyArray<Instant>>()
  return {
    of: (source, key, now) =>
      (failures.get(`${source} ${key}`) ?? []).filter((moment) => isRecentFailure(moment, now)),
    add: (source, key, now) => {
      const name = `${source} ${key}`
      const all = remember(source, failures.get(name) ?? [], now)
      // Deleting first moves the key to the end of the map; the oldest keys at the front are dropped first.
      failures.delete(name)
      failures.set(name, all)
      for (const oldest of failures.keys()) {
        if (failures.size <= capacity) break
        failures.delete(oldest)
      }
    },
  }
}
