import { statSync } from 'node:fs'
import { DatabaseUnavailable } from '@almoner/adapters-kysely'
import { logFileOf } from './write-ahead-log.ts'

/** Milliseconds between two looks at the files (I10). */
const LOOK = 1000

const WHY =
  'were moved, removed or replaced while this process has them open: it writes nothing any more. Restart it once the files of the right database are in place'

/** Watches whether a database's files are still the ones that are open. SQLite would go on writing into files that no path leads to (I10). */
export interface FilesInPlace {
  /** Compares the files. Once they differ, this process writes nothing until it ends. @throws DatabaseUnavailable */
  assert(): void
  /** Returns the fault that was found; undefined while the files are in place. */
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

/** Watches the files of a database that is open: the database, its log, and the index of the log. */
export const watchFilesInPlace = (file: string): FilesInPlace => {
  const log = logFileOf(file)
  const paths = [file, log, log.replace(/-wal$/, '-shm')]
  const open = new Map<string, string>()
  let moved: string | undefined

  /** Whether a path leads to another file than the one that is open, or to none. */
  const isMoved = (path: string): boolean => {
    const [now, known] = [identityOf(path), open.get(path)]
    // The log and its index come with the first transaction, and stay while they are open.
    if (known === undefined && now) open.set(path, now)
    return known !== undefined && now !== undefined && known !== now
  }
  const look = (): void => {
    moved ??= paths.find(isMoved)
  }
  const fault = () => (moved === undefined ? undefined : `the files of the database (${moved}) ${WHY}`)
  look()
  const timer = setInterval(look, LOOK).unref()

  return {
    assert: () => {
      look()
      const found = fault()
      if (found !== undefined) throw new DatabaseUnavailable(found)
    },
    fault,
    stop: () => clearInterval(timer),
  }
}
