import { closeSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs'
import { basename } from 'node:path'
import type { Unavailable } from '@almoner/domain'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { withDriver } from './unavailable.ts'

/** A process that reads from an old state of a database. */
export interface LogHolder {
  /** 0 if the process is in another container. */
  readonly pid: number
  /** Its program and what it runs, without folders; `""` if that is unknown. */
  readonly command: string
}

// Readers in the first place read from the database alone: nothing can be brought into it then, and their state is the oldest.
// The layout of the index of a write-ahead log (https://www.sqlite.org/walformat.html, "The WAL-Index File Format"): the states from which the
// five places for readers read, and the bytes that a process locks while it has readers in one.
const [MARKS, MARK_BYTES, LOCKS, PLACES, HEAD] = [100, 4, 123, 5, 136]

interface Mapping {
  readonly address: number
  /** Device and inode, as both files of the kernel write them. */
  readonly file: string
}

/** Finds the beginning of a file that this process has mapped. */
const mappingOf = (path: string): Mapping | undefined => {
  for (const line of readFileSync('/proc/self/maps', 'utf8').split('\n')) {
    const [, begin = '', device = '', inode = '', name] =
      /^([0-9a-f]+)-[0-9a-f]+ \S+ 0+ (\S+) (\d+) +(.*)$/.exec(line) ?? []
    if (name === path) return { address: Number.parseInt(begin, 16), file: `${device}:${inode}` }
  }
  return undefined
}

/** Reads the head of the index from memory: opening and closing its file would release the locks of this process on it. */
const headOf = (address: number): Buffer => {
  const memory = openSync('/proc/self/mem', 'r')
  try {
    const head = Buffer.alloc(HEAD)
    readSync(memory, head, 0, HEAD, address)
    return head
  } finally {
    closeSync(memory)
  }
}

const markOf = (head: Buffer, place: number): number =>
  new Uint32Array(head.buffer, head.byteOffset + MARKS + MARK_BYTES * place, 1)[0] ?? 0

interface Lock {
  readonly pid: number
  readonly places: ReadonlyArray<number>
}

/** Reads which places processes have locked for reading. */
const locksOn = (file: string): ReadonlyArray<Lock> =>
  readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, , , kind, pid, of, first, last] = line.split(/\s+/)
      if (kind !== 'READ' || of !== file) return []
      const places = Array.from({ length: PLACES }, (_, n) => n).filter(
        (place) => LOCKS + place >= Number(first) && (last === 'EOF' || LOCKS + place <= Number(last)),
      )
      return [{ pid: Math.max(0, Number(pid)), places }]
    })

/** Returns the names of a program and of its first argument, as `sqlite3 almoner.db`: further ones may be secrets. */
const commandOf = (pid: number): string => {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    const names = words.filter((word) => word !== '' && !word.startsWith('-'))
    return names
      .slice(0, 2)
      .map((name) => basename(name))
      .join(' ')
  } catch {
    return ''
  }
}

/**
 * Returns the processes that read from the oldest state of a database that a reader still needs, none if no reader needs the log. This process
 * must have a connection that has read. Undefined where the system does not say: other systems than Linux.
 */
export const oldestReaders = (file: string): ReadonlyArray<LogHolder> | undefined => {
  try {
    const mapping = mappingOf(`${realpathSync(file)}-shm`)
    if (mapping === undefined) return undefined
    const [head, locks] = [headOf(mapping.address), locksOn(mapping.file)]
    const marks = locks.flatMap(({ places }) => places.map((place) => markOf(head, place)))
    const oldest = Math.min(...marks)
    const pids = locks
      .filter(({ places }) => places.some((place) => markOf(head, place) === oldest))
      .map(({ pid }) => pid)
    return [...new Set(pids)].map((pid) => ({ pid, command: commandOf(pid) }))
  } catch {
    return undefined
  }
}

/**
 * Returns the processes that read from the oldest state of a database that this process does not have open; none if no reader needs the log,
 * undefined where the system does not say.
 * @returns Unavailable if the file cannot be opened
 */
export const sqliteLogHolders = (
  file: string,
): TE.TaskEither<Unavailable, ReadonlyArray<LogHolder> | undefined> =>
  withDriver(file, { readonly: true, timeout: 0 }, (database) => {
    // The first statement maps the index.
    database.pragma('schema_version')
    return oldestReaders(file)
  })
