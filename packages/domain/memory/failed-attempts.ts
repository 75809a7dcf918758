import { type FailedAttempts, type Instant, instant, isRecentFailure, remember } from '../src/all.ts'

/** Maximum number of keys; beyond it the keys that failed longest ago are dropped first. */
const CAPACITY = 20_000

/** Failed attempts in this process. Servers use this adapter too, because a restart loses only the last minute. */
export const memoryFailedAttempts = (capacity = CAPACITY): FailedAttempts => {
  const failures = new Map<string, ReadonlyArray<Instant>>()
  return {
    of: (source, key, now) => {
      const name = `${source} ${key}`
      const noted = failures.get(name) ?? []
      const recent = noted.filter((moment) => isRecentFailure(moment, now))
      if (noted.every((moment) => moment <= now)) return recent
      // The clock was set back: they count from now on or not at all, so that they hold for no longer than a minute (I9).
      const moved = recent.map((moment) => instant(Math.min(moment, now)))
      failures.set(name, moved)
      return moved
    },
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
