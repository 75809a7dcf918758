import { setImmediate as nextTurn } from 'node:timers/promises'
import { Outage } from '@almoner/adapters-kysely'
import type { Entry } from './pending-write.ts'

interface Bounds {
  /** How many may wait. */
  readonly most: number
  /** For how many milliseconds each of them waits before it is not begun any more. */
  readonly patience: number
}

/** What waits to be written, first come, first served. */
export interface Queue {
  /** Refuses the entry with an {@link Outage} when too many wait, when it has waited too long, or once the queue drains. */
  add(entry: Entry): void
  /** Rejects new entries; resolves when the waiting ones are done. */
  drain(): Promise<void>
}

/**
 * @param group how many are served together at most
 * @param perform serves some of them, and does not throw
 */
export const makeQueue = (
  { most, patience }: Bounds,
  group: number,
  perform: (entries: ReadonlyArray<Entry>) => Promise<void>,
): Queue => {
  const waiting: Array<Entry> = []
  let draining = false
  let serving: Promise<void> | undefined

  /** Rejects entries that have waited too long, and returns the rest. */
  const inTime = (entries: ReadonlyArray<Entry>): ReadonlyArray<Entry> => {
    const since = performance.now() - patience
    for (const entry of entries)
      if (entry.since < since) entry.refuse(new Outage('the database has been busy for too long'))
    return entries.filter((entry) => entry.since >= since)
  }

  const serve = async (): Promise<void> => {
    while (waiting.length > 0) {
      // Collects the other writes of this event-loop iteration, and lets other work run between two commits, each of which blocks
      // the process for the time of a disk write.
      await nextTurn()
      // Where many write, what they send is read in two turns: a commit for all of them is worth the second.
      if (waiting.length > 1) await nextTurn()
      await perform(inTime(waiting.splice(0, group)))
    }
    serving = undefined
  }

  return {
    add: (entry) => {
      if (draining) return entry.refuse(new Outage('the database is closed'))
      if (waiting.length >= most) return entry.refuse(new Outage('too many wait for the database'))
      waiting.push(entry)
      serving ??= serve()
    },
    drain: async () => {
      draining = true
      await serving
    },
  }
}
