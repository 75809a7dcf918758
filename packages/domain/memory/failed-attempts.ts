import { type FailedAttempts, type Instant, isRecentFailure, remember } from '../src/all.ts'

/** Keys remembered at most; beyond that the ones that failed longest ago are forgotten first. */
const CAPACITY = 20_000

/** Failed attempts in this process. A minute's memory is no loss at a restart, so servers use this one too. */
export const memoryFailedAttempts = (capacity = CAPACITY): FailedAttempts => {
  const failures = new Map<string, ReadonlyArray<Instant>>()
  return {
    of: (source, key, now) =>
      (failures.get(`${source} ${key}`) ?? []).filter((moment) => isRecentFailure(moment, now)),
    add: (source, key, now) => {
      const name = `${source} ${key}`
      const all = remember(source, failures.get(name) ?? [], now)
      // Deleting first moves the key to the end of the map's order: the front is what to forget.
      failures.delete(name)
      failures.set(name, all)
      for (const oldest of failures.keys()) {
        if (failures.size <= capacity) break
        failures.delete(oldest)
      }
    },
  }
}
