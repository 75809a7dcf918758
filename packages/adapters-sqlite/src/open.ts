import { resolve } from 'node:path'
import { attempt, type Database } from '@almoner/adapters-kysely'
import type { Unavailable } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { makeVersion, onceAnIteration, onceIn, type Version, valueOrUnknown } from './change-detection.ts'
import { isDamage, onFile, openConnection } from './connection.ts'
import { ensureDatabaseFile } from './database-file.ts'
import { makeErase, TABLE_MARK } from './erase.ts'
import { makePrefixing, readPrefix } from './prefix.ts'
import { sqliteDialect } from './search.ts'
import { makeSnapshots } from './snapshots.ts'
import {
  bytesOf,
  type LogLimit,
  logFileOf,
  makeLogRelease,
  oldestReaders,
  RELEASE_WAIT,
  watchLog,
} from './write-ahead-log.ts'
import { openWriter } from './writer.ts'

/** A database in one file. Other processes may have the same file open. */
export interface SqliteDatabase extends Database {
  /** Returns a value that changes once another process, or another connection of this one, has written. */
  othersWrites(): unknown
  /** Returns the present fault of the database's files; undefined while they are in place (I10). */
  filesFault(): string | undefined
  /** Returns the damage that a statement has met since the database was opened; undefined without one. */
  damage(): string | undefined
  /** Returns the bytes of the write-ahead log, which grows while any process keeps reading from an old state. */
  logBytes(): number
  /** Lets writes finish, ends all reading and closes the file. Everything is Unavailable from then on. */
  close(): Promise<void>
}

/** Which file a database is, and how it is watched. */
export interface SqliteOptions {
  /** Path of the database file; it and the folders above it are created when missing. */
  readonly file: string
  /**
   * What the names of all tables and indexes begin with, such as `almoner_`, for a file with tables of other programs; two services with different
   * prefixes share a file. Unless given, the names have none, and the file must hold nothing else.
   */
  readonly prefix?: string
  /**
   * Milliseconds for which `version` may leave another process's writes unseen. Unless given, it looks in each iteration of the event loop,
   * which a server that answers from its cache spends a twentieth of its time on. This process's own writes are seen at once.
   */
  readonly pollInterval?: number
  /** What to do when readers keep the write-ahead log growing. Unless given, they take as long as they like. */
  readonly logLimit?: LogLimit
  /** Whether an interrupted erasure is left to the next one, or to the next start of the service (L1). Unless given, opening completes it. */
  readonly leavesErasure?: boolean
  /** Called once, with the fault, when the files were moved, removed or replaced: nothing is written any more (I10). */
  readonly onFilesGone?: (fault: string) => void
}

/** The connection that reads what takes a statement or a few, and how many KiB of pages it keeps. */
const READER = { readonly: true, cache: 8000, timeout: 5000 }

const open = async ({
  file: path,
  prefix: given = '',
  pollInterval,
  logLimit,
  leavesErasure,
  onFilesGone,
}: SqliteOptions): Promise<SqliteDatabase> => {
  const file = resolve(path)
  const prefix = readPrefix(given)
  const named = makePrefixing(prefix)
  ensureDatabaseFile(file)
  const writer = await openWriter(file, (notify) => version.advance(notify), {
    named,
    afterTrim: () => release(),
    ...(onFilesGone && { onFilesGone }),
  })
  const log = logFileOf(file)
  // It holds no state between two statements, so that the log can always be truncated.
  const reader = openConnection(file, { ...READER, named })
  const isDue = pollInterval === undefined ? onceAnIteration() : onceIn(pollInterval, () => performance.now())
  // What was read may show what others have written: no older version is given after it (I8).
  let hasRead = false
  const version: Version = makeVersion(writer.version, () => {
    const had = hasRead
    hasRead = false
    return isDue() || had
  })
  const snapshots = makeSnapshots(file, writer.retryTrim, writer.assertFiles, named)
  const release =
    logLimit === undefined
      ? async () => {}
      : makeLogRelease({
          ...{ bytes: () => bytesOf(log), truncate: () => writer.truncateLog(RELEASE_WAIT) },
          ...{ endOldest: snapshots.endOldest, oldest: () => oldestReaders(file), limit: logLimit },
          isWriting: writer.inTransaction,
        })
  const stopWatching = watchLog(snapshots.streams, release)

  const { erase, resume } = makeErase({ file, log, writer, ...(prefix !== '' && { mark: TABLE_MARK }) })
  // If it cannot be completed now, the next erasure does it. An older schema has no table for it.
  if (leavesErasure !== true) await resume(reader.db).catch(() => {})

  const close = async () => {
    stopWatching()
    await snapshots.close()
    // The connection that is closed last brings the log into the database, which a reading one cannot.
    if (writer.fault() === undefined) reader.close()
    await writer.close()
    reader.close()
  }
  let closed: Promise<void> | undefined

  let damage: string | undefined
  const note = (cause: unknown): void => {
    if (isDamage(cause)) damage ??= `the database is damaged: ${String((cause as Error).message)}`
  }
  /** Notes that data were read, and the damage that a statement meets. */
  const noting: typeof attempt = (work) => async () => {
    const done = await attempt(work)()
    hasRead = true
    if (E.isLeft(done)) note((done.left as { readonly cause?: unknown } | undefined)?.cause)
    return done
  }
  const streamSnapshot: SqliteDatabase['streamSnapshot'] = async function* (work, options) {
    try {
      for await (const value of snapshots.streamSnapshot(work, options)) {
        hasRead = true
        yield value
      }
    } catch (cause) {
      note(cause)
      throw cause
    }
  }

  return {
    dialect: sqliteDialect(prefix),
    read: (work, options) =>
      noting(async () =>
        E.right(
          options?.work === 'unbounded' ? await snapshots.readSnapshot(work, options) : await work(reader.db),
        ),
      ),
    write: (work, options) => noting(() => writer.write(work, options)),
    erase: (work, digest) => attempt(() => erase(work, digest)),
    readSnapshot: (work, options) => noting(async () => E.right(await snapshots.readSnapshot(work, options))),
    streamSnapshot,
    version: version.of,
    othersWrites: () => valueOrUnknown(writer.version),
    filesFault: writer.fault,
    damage: () => damage,
    logBytes: () => bytesOf(log),
    close: () => (closed ??= close()),
  }
}

/** Opens a SQLite database. Its schema is the migrator's business. Unavailable when the file cannot be opened. */
export const openSqlite = (options: SqliteOptions): TE.TaskEither<Unavailable, SqliteDatabase> =>
  onFile(() => open(options))
