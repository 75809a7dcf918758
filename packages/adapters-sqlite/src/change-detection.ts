import { statSync } from 'node:fs'
import { DatabaseUnavailable, makeVersions, type WriteOptions } from '@almoner/adapters-kysely'
import type { DataPart } from '@almoner/domain/history'
import { logFileOf } from './write-ahead-log.ts'

/** Numbers that change once data, or parts of it, may have changed. */
export interface Version {
  /** As the database's `version`. */
  of(parts?: ReadonlyArray<DataPart>): number
  /** Takes in that this process has committed writes that notify of this. */
  advance(notify: ReadonlyArray<WriteOptions['notify']>): void
}

/** Whether it is time for something that is to be done now and then. */
type IsDue = () => boolean

/**
 * Is due once in an event-loop iteration, which ends with the next poll: between two calls in one iteration no request and no response to another
 * process's write can have arrived. `setImmediate` cannot detect this, because its callbacks may run past the next poll.
 */
export const onceAnIteration = (): IsDue => {
  let last: number | undefined
  return () => {
    const iteration = performance.nodeTiming.uvMetricsInfo.loopCount
    if (iteration === last) return false
    last = iteration
    return true
  }
}

/** Is due once in this number of milliseconds. `now` is a monotonic clock in milliseconds. */
export const onceIn = (milliseconds: number, now: () => number): IsDue => {
  let last = Number.NEGATIVE_INFINITY
  return () => {
    const present = now()
    if (present - last < milliseconds) return false
    last = present
    return true
  }
}

/** Returns the result of `look`, or a unique value if it throws: an unreadable file may have changed. */
export const valueOrUnknown = (look: () => unknown): unknown => {
  try {
    return look()
  } catch {
    return Symbol('unknown')
  }
}

/**
 * Counts this process's changes, and looks for those of others when that is due: a burst of questions costs one look. Where that is once an
 * iteration of the event loop, a client that has the answer to a write by another process, and then asks here, finds it counted.
 * @param look a value that changes when another process has written; it may throw
 */
export const makeVersion = (look: () => unknown, isDue: IsDue): Version => {
  const versions = makeVersions()
  let known: unknown

  const takeInOthers = (): void => {
    if (!isDue()) return
    const value = valueOrUnknown(look)
    if (value !== known) versions.count()
    known = value
  }

  return {
    of: (parts) => {
      takeInOthers()
      return versions.of(parts)
    },
    advance: (notify) => {
      const changes = notify.filter((one) => one !== 'none')
      if (changes.length > 0)
        versions.count(changes.includes(undefined) ? undefined : changes.flatMap((parts) => parts ?? []))
    },
  }
}

/** Milliseconds between two looks at the files (I10). */
const LOOK = 1000

const WHY =
  'were moved, removed or replaced while this process has them open: it writes nothing any more. Restart it once the files of the right database are in place'

/** Watches whether a database's files are still the ones that are open. SQLite would go on writing into files that no path leads to (I10). */
export interface FilesInPlace {
  /** Compares the files. Once they differ, this process writes nothing until it ends. @throws DatabaseUnavailable */
  assert(): void
  /** Compares the files, and returns the fault; undefined while they are in place. */
  fault(): string | undefined
  /** Ends the watch. */
  stop(): void
}

/** Device and inode of the file at a path; empty where there is none, undefined where the system cannot tell. */
const identityOf = (path: string): string | undefined => {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
    return stats === undefined ? '' : `${stats.dev}:${stats.ino}`
  } catch {
    return undefined
  }
}

/**
 * Watches the files of a database that is open: the database, its log, and the index of the log.
 * @param onGone called once, with the fault, as soon as it is found
 */
export const watchFilesInPlace = (file: string, onGone: (fault: string) => void): FilesInPlace => {
  const log = logFileOf(file)
  const paths = [file, log, log.replace(/-wal$/, '-shm')]
  const open = new Map<string, string>()
  let found: string | undefined

  /** Whether a path leads to another file than the one that is open, or to none. */
  const isMoved = (path: string): boolean => {
    const [now, known] = [identityOf(path), open.get(path)]
    // The log and its index come with the first transaction, and stay while they are open.
    if (known === undefined && now) open.set(path, now)
    return known !== undefined && now !== undefined && known !== now
  }
  const fault = (): string | undefined => {
    const moved = found === undefined ? paths.find(isMoved) : undefined
    if (moved !== undefined) {
      found = `the files of the database (${moved}) ${WHY}`
      onGone(found)
    }
    return found
  }
  fault()
  const timer = setInterval(fault, LOOK).unref()

  return {
    assert: () => {
      const gone = fault()
      if (gone !== undefined) throw new DatabaseUnavailable(gone)
    },
    fault,
    stop: () => clearInterval(timer),
  }
}
