import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Clock, Unavailable } from '../values/ports.ts'
import { addMillis, type Instant, MINUTE, SECOND } from '../values/time.ts'
import { isRecentFailure } from './model.ts'
import type { NodeLog } from './ports.ts'

/** The most entries that are written, read, or wait to be written at a time. Others count in their node alone. */
export const MOST_ENTRIES = 2000

/** Milliseconds that are read again: an entry may be committed that much later than it was noted. */
const LATE = 10 * SECOND

/** The entries of one node. */
interface NodeEntries<Entry> {
  /** Returns the entries that are to be written. They are asked for again after a failure. */
  readonly unsent: (now: Instant) => ReadonlyArray<Entry>
  /** Called when entries were written. */
  readonly onSent: (entries: ReadonlyArray<Entry>) => void
  /** Counts entries of other nodes; returns how many were new. */
  readonly hear: (found: ReadonlyArray<Entry>, now: Instant) => number
}

/** Reads the entries of other nodes, then writes those of this one; returns how many were new. */
export type Exchange<Entry> = (clock: Clock, log: NodeLog<Entry>) => TE.TaskEither<Unavailable, number>

/** Makes the exchange of a node's entries. While it fails, each node counts alone. */
export const makeExchange = <Entry>(
  node: string,
  { unsent, onSent, hear }: NodeEntries<Entry>,
): Exchange<Entry> => {
  /** When this node wrote last: it deletes its entries a minute later, if no other node has. */
  let wroteAt: Instant | undefined
  let readUpTo: Instant | undefined
  return (clock, log) => {
    const write = (now: Instant): TE.TaskEither<Unavailable, void> => {
      const entries = unsent(now)
      const isOld = wroteAt !== undefined && !isRecentFailure(wroteAt, now)
      if (entries.length === 0 && !isOld) return TE.right(undefined)
      return pipe(
        log.add(entries, now),
        TE.tapIO(() => () => {
          wroteAt = entries.length === 0 ? undefined : now
          onSent(entries)
        }),
      )
    }
    return pipe(
      TE.fromIO(clock.now),
      TE.bindTo('now'),
      TE.bind('found', ({ now }) => log.ofOthers(node, readUpTo ?? addMillis(now, -MINUTE), MOST_ENTRIES)),
      TE.flatMap(({ now, found }) => {
        readUpTo = addMillis(now, -LATE)
        const fresh = hear(found, now)
        return TE.map(() => fresh)(write(now))
      }),
    )
  }
}
