import { resolve } from 'node:path'
import type { Database } from '@almoner/adapters-kysely'
import type { Unavailable } from '@almoner/domain'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { attempt } from './attempt.ts'
import { makeVersion, onceATurn, onceIn, type Version, valueOrUnknown } from './change-detection.ts'
import { ensureDatabaseFile } from './database-file.ts'
import { openReader } from './reader.ts'
import { makeSnapshots } from './snapshots.ts'
import { SQLITE } from './sql-dialect.ts'
import { isOutage } from './unavailable.ts'
import { bytesOf, logFileOf } from './write-ahead-log.ts'
import { openWriter } from './writer.ts'

/** A database in one file. Other processes may have the same file open. */
export interface SqliteDatabase extends Database {
  /** Returns a value that another one takes the place of once another process, or another connection of this one, has written. */
  othersWrites(): unknown
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
   * Milliseconds for which `version` and `accessVersion` may miss another process's writes. By default they check in each event-loop iteration,
   * which takes a twentieth of the time of a server with a warm cache. This process's writes are seen at once.
   */
  readonly lookEvery?: number
  /**
   * Milliseconds after which a collection that is still being read becomes Unavailable, so that a slow reader does not make the write-ahead log
   * grow for ever. Unless given, its reader takes as long as it likes.
   */
  readonly snapshotLife?: number
}

const open = async ({ file: path, lookEvery, snapshotLife }: SqliteOptions): Promise<SqliteDatabase> => {
  const file = resolve(path)
  ensureDatabaseFile(file)
  const writer = await openWriter(file, {
    onCommit: (manners) => version.advance(manners),
  })
  const reader = openReader(file)
  const log = logFileOf(file)
  const isDue = lookEvery === undefined ? onceATurn() : onceIn(lookEvery, () => performance.now())
  const version: Version = makeVersion(writer.version, isDue)
  const snapshots = makeSnapshots(file, snapshotLife)

  const close = async () => {
    snapshots.close()
    reader.close()
    await writer.close()
  }
  let closed: Promise<void> | undefined

  return {
    dialect: SQLITE,
    isOutage,
    read: reader.read,
    write: writer.write,
    snapshot: snapshots.snapshot,
    whole: snapshots.whole,
    version: version.present,
    accessVersion: version.ofAccess,
    othersWrites: () => valueOrUnknown(writer.version),
    logBytes: () => bytesOf(log),
    close: () => (closed ??= close()),
  }
}

/** Opens a SQLite database. Its schema is the migrator's business. Unavailable when the file cannot be opened. */
export const openSqlite = (options: SqliteOptions): TE.TaskEither<Unavailable, SqliteDatabase> =>
  attempt(() => open(options))
