import { NODE_TABLE, STORAGE_TABLE, type TableRows, TRANSFER_TABLES } from '@almoner/adapters-kysely'
import type { Unavailable } from '@almoner/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { ensureDatabaseFile } from './database-file.ts'
import { IN_USE, type InUse, isInUse } from './in-use.ts'
import { SQLITE } from './sql-dialect.ts'
import { onFile, withDriver } from './unavailable.ts'

/** Why a database is no place to restore into. */
export type NotRestorable = InUse | { readonly _tag: 'NotEmpty'; readonly existing: ReadonlyArray<TableRows> }

/** Milliseconds that another process's commit is waited for. */
const TIMEOUT = 1000

/** Tables that say nothing of content: how the schema came about, and what every database begins with. */
const SEED_DATA: ReadonlyArray<string> = [
  'schema_migrations',
  NODE_TABLE,
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
      withDriver(file, { timeout: TIMEOUT }, (database): E.Either<NotRestorable, void> => {
        const existing = existingRows(database)
        if (existing.length > 0) return E.left({ _tag: 'NotEmpty', existing })
        // Last, since it changes the file, if only how it is written to.
        return isInUse(database) ? E.left(IN_USE) : E.right(undefined)
      }),
    ),
    TE.flatMapEither(identity),
  )

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
    TE.flatMap(() => withDriver(from, { readonly: true }, (source) => source.backup(file))),
    TE.asUnit,
  )
