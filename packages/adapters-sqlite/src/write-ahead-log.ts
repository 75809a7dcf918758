import { realpathSync, statSync } from 'node:fs'

const MEBIBYTE = 1024 * 1024

/** The bytes beyond which the log is truncated after a commit. */
export const TRUNCATE_PAST = 16 * MEBIBYTE

/**
 * The bytes by which the log grows from one attempt that failed to the next: twice as many after each, up to the last. So a reader that stays
 * for long costs few waits, and one that was in the way by chance is soon forgotten.
 */
const RETRY_AFTER = { first: MEBIBYTE, last: TRUNCATE_PAST }

/** Returns the path of a database's write-ahead log: beside the file itself, where a symbolic link leads to it. */
export const logFileOf = (file: string): string => `${realpathSync(file)}-wal`

/** Returns the bytes of a file; 0 where there is none. */
export const bytesOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

/** Returns the bytes of the write-ahead log beside a database file that exists; 0 where there is none. */
export const sqliteLogBytes = (file: string): number => bytesOf(logFileOf(file))

/**
 * Returns a function to call after each commit, which truncates a large log. SQLite's automatic checkpoint does not wait for readers, and
 * restarts the log only at a moment without any, which never comes if several processes always read.
 * @param bytes returns the size of the log
 * @param truncate tries to empty the log, waiting shortly for readers of any process; `bytes` shows the success
 */
export const makeLogTrim = (bytes: () => number, truncate: () => void): (() => void) => {
  let limit = TRUNCATE_PAST
  let step = RETRY_AFTER.first
  const reset = () => {
    limit = TRUNCATE_PAST
    step = RETRY_AFTER.first
  }
  return () => {
    if (bytes() < TRUNCATE_PAST) return reset()
    if (bytes() < limit) return
    truncate()
    if (bytes() < TRUNCATE_PAST) return reset()
    limit = bytes() + step
    step = Math.min(2 * step, RETRY_AFTER.last)
  }
}
