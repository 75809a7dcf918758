import { setTimeout as pause } from 'node:timers/promises'
import { isBusy } from './unavailable.ts'

/** Pauses in milliseconds between tries: about five seconds in all. */
const PAUSES = [1, 2, ...Array<number>(1000).fill(5)]

/**
 * Does what another process's lock may stop, and tries again while it does. SQLite's own waiting would hold up the whole
 * process; this lets it go on. Throws the last SQLITE_BUSY in the end.
 */
export const whileBusy = async <A>(work: () => A): Promise<A> => {
  for (const milliseconds of PAUSES) {
    try {
      return work()
    } catch (cause) {
      if (!isBusy(cause)) throw cause
      await pause(milliseconds)
    }
  }
  return work()
}
