import { closeSync, openSync } from 'node:fs'
import {
  EPOCH_TABLE,
  epochStatements,
  LAST_POSITION,
  type NamedImage,
  rowsOf,
  SERVER_TABLES,
  STORAGE_TABLE,
  type TableRows,
  TRANSFER_TABLES,
} from '@almoner/adapters-kysely'
import type { Unavailable } from '@almoner/domain'
import type { StorageId } from '@almoner/domain/media'
import Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { sql } from 'kysely'
import { onFile, openConnection, withDriver } from './connection.ts'
import { ensureDatabaseFile, IN_USE, type InUse, isInUse } from './database-file.ts'
import { SQLITE } from './search.ts'

const OWNER_ONLY = 0o600
/** KiB of pages kept in memory: a copy comes by each page once. */
const CACHE = 2000
const TIMEOUT = 5000
const READONLY = { readonly: true, timeout: TIMEOUT, fileMustExist: true }
/** The maximum number of reported errors of a file. */
const FAULTS = 20

interface Copy {
  /** The database, which exists. */
  readonly file: string
  /** Where its copy goes: nothing is there. */
  readonly to: string
}

/**
 * Copies a database as it is at one moment, while other processes write it: without what was deleted, and for its owner alone.
 */
export const copySqlite = ({ file, to }: Copy): TE.TaskEither<Unavailable, void> =>
  withDriver(
    () => new Database(file, READONLY),
    (source) => {
      closeSync(openSync(to, 'wx', OWNER_ONLY))
      source.prepare('vacuum into ?').run(to)
    },
  )

/** Returns the errors of a database: in its structure, its indexes and its foreign keys. */
export const sqliteFaults = (file: string): TE.TaskEither<Unavailable, ReadonlyArray<string>> =>
  withDriver(
    () => new Database(file, READONLY),
    (database) => {
      const answers = database.prepare<[], string>(`pragma integrity_check(${FAULTS})`).pluck().all()
      const broken = database.prepare<[], string>('pragma foreign_key_check').pluck().all()
      const tables = [...new Set(broken)].map((table) => `${table} refers to rows that are not there`)
      return [...answers.filter((answer) => answer !== 'ok'), ...tables]
    },
  )

/** The images that a database's rows show, in batches; some may come more than once. Its schema may be an older one. */
export async function* sqliteImages(file: string): AsyncGenerator<ReadonlyArray<NamedImage>, void> {
  const connection = openConnection(file, { readonly: true, cache: CACHE, timeout: TIMEOUT })
  try {
    const { rows: tables } = await sql<{ name: string }>`${sql.raw(SQLITE.tableNames)}`.execute(connection.db)
    const names = tables.map(({ name }) => name)
    for (const table of TRANSFER_TABLES) {
      const { images } = table
      if (images === undefined || !names.includes(table.name)) continue
      for await (const rows of rowsOf(connection.db, table)) yield rows.flatMap(images)
    }
  } finally {
    connection.close()
  }
}

/** Returns the identity of the image storage that a database knows (D6); none in one that has none, or is older than identities. */
export const sqliteStorageId = (file: string): TE.TaskEither<Unavailable, O.Option<StorageId>> =>
  withDriver(
    () => new Database(file, READONLY),
    (database) => {
      const tables = database.prepare<[], string>(SQLITE.tableNames).pluck().all()
      if (!tables.includes(STORAGE_TABLE)) return O.none
      return O.fromNullable(database.prepare<[], StorageId>(`select id from ${STORAGE_TABLE}`).pluck().get())
    },
  )

/** Why a database is no place to restore into. */
export type NotRestorable = InUse | { readonly _tag: 'NotEmpty'; readonly existing: ReadonlyArray<TableRows> }

/** Milliseconds that another process's commit is waited for. */
const RESTORE_TIMEOUT = 1000

/** Tables that say nothing of content: how the schema came about, and what every database begins with. */
const SEED_DATA: ReadonlyArray<string> = [
  'schema_migrations',
  EPOCH_TABLE,
  ...SERVER_TABLES,
  STORAGE_TABLE,
  ...TRANSFER_TABLES.filter(({ isSeedData }) => isSeedData).map(({ name }) => name),
]

const existingRows = (database: Database.Database): ReadonlyArray<TableRows> =>
  database
    .prepare<[], string>(SQLITE.tableNames)
    .pluck()
    .all()
    .filter((table) => !SEED_DATA.includes(table))
    .map((table) => ({
      table,
      rows:
        database
          .prepare<[], number>(`select count(*) from "${table.replaceAll('"', '""')}"`)
          .pluck()
          .get() ?? 0,
    }))
    .filter(({ rows }) => rows > 0)

/** Whether a database could be restored into: no process has it open, and it holds nothing. It is made when it is missing. */
export const checkRestorable = (file: string): TE.TaskEither<NotRestorable | Unavailable, void> =>
  pipe(
    onFile(async () => ensureDatabaseFile(file)),
    TE.flatMap(() =>
      withDriver(
        () => new Database(file, { timeout: RESTORE_TIMEOUT, fileMustExist: true }),
        (database): E.Either<NotRestorable, void> => {
          const existing = existingRows(database)
          if (existing.length > 0) return E.left({ _tag: 'NotEmpty', existing })
          // Last, since it changes the file, if only how it is written to.
          return isInUse(database) ? E.left(IN_USE) : E.right(undefined)
        },
      ),
    ),
    TE.flatMapEither(identity),
  )

/** Begins another epoch of changes: what the service did after the backup is in no cursor that stays good (N3). */
const beginEpoch = (file: string): void => {
  const database = new Database(file, { timeout: RESTORE_TIMEOUT, fileMustExist: true })
  try {
    const tables = database.prepare<[], string>(SQLITE.tableNames).pluck().all()
    if (!tables.includes(EPOCH_TABLE)) return
    const statements = epochStatements(SQLITE, { keptUpTo: LAST_POSITION, shift: 'max(shift)' })
    database.transaction(() => {
      for (const statement of statements) database.exec(statement)
    })()
  } finally {
    database.close()
  }
}

interface Restoration {
  /** A whole database. */
  readonly from: string
  readonly file: string
}

/**
 * Copies a database into an empty one that no process has open. It uses one transaction, so a crash leaves the target unchanged, and the
 * file's locks, so a process that opens it meanwhile sees the state before or after.
 */
export const restoreSqlite = ({
  from,
  file,
}: Restoration): TE.TaskEither<NotRestorable | Unavailable, void> =>
  pipe(
    checkRestorable(file),
    TE.flatMap(() =>
      withDriver(
        () => new Database(from, { readonly: true, fileMustExist: true }),
        async (source) => {
          await source.backup(file)
          beginEpoch(file)
        },
      ),
    ),
    TE.asUnit,
  )
