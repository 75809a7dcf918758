import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type HostMigration, hostMigrationsOf, MIGRATIONS } from '@almoner/adapters-kysely'
import Database from 'better-sqlite3'
import { type Kysely, sql } from 'kysely'
import { isBusy } from './connection.ts'
import { makePrefixing, readPrefix } from './prefix.ts'
import { sqliteDialect } from './search.ts'

/**
 * Returns the migrations for a runner of the host's choice, which has to run all of them in order before the database is opened. Kysely's runs them
 * as they are: give it a separate `migrationTableName`, since it sorts by name. Another runner executes `statements` on one connection.
 * @param options `prefix` as for `openSqlite`
 * @throws TypeError if the prefix is none
 */
export const sqliteMigrations = ({
  prefix = '',
}: {
  readonly prefix?: string
} = {}): ReadonlyArray<HostMigration> =>
  hostMigrationsOf(MIGRATIONS, {
    dialect: sqliteDialect(readPrefix(prefix)),
    named: makePrefixing(prefix),
    // Kysely's runner begins no transaction on SQLite.
    before: ['savepoint almoner'],
    after: ['release almoner'],
    undo: ['rollback to almoner', 'release almoner'],
    now: "cast((julianday('now') - 2440587.5) * 86400000 as integer)",
  })

// biome-ignore lint/suspicious/noExplicitAny: the tables are the host's.
type HostKysely = Kysely<any>

const FILE = sql<{ readonly file: string | null }>`select file from pragma_database_list where name = 'main'`

const OTHER_COPY =
  'the Kysely instance and Almoner load two copies of SQLite, which would release each other’s file locks: give its SqliteDialect a database of the version of better-sqlite3 that Almoner uses'

/** Returns whether a lock of the host's connection keeps ours out, as locks do within one copy of SQLite, and not between two of one process. */
const respectsLockOf = (file: string): boolean => {
  const own = new Database(file, { fileMustExist: true, timeout: 0 })
  try {
    own.exec('begin immediate; rollback')
    return false
  } catch (cause) {
    if (isBusy(cause)) return true
    throw cause
  } finally {
    own.close()
  }
}

/** How often a lock is asked for while another process has it, and milliseconds between. */
const [TRIES, PAUSE] = [100, 50]

/** Runs work while the host's connection holds the lock for writing. */
const whileLocked = async <A>(kysely: HostKysely, work: () => A): Promise<A> => {
  for (let tried = 1; ; tried += 1)
    try {
      await sql`begin immediate`.execute(kysely)
      break
    } catch (cause) {
      if (tried === TRIES || !String((cause as { readonly code?: unknown }).code).startsWith('SQLITE_BUSY'))
        throw cause
      await pause(PAUSE)
    }
  try {
    return work()
  } finally {
    await sql`rollback`.execute(kysely)
  }
}

/**
 * Returns the path of the file behind a host's Kysely instance, for {@link openSqlite}, which opens its own connections to it: those of the instance live
 * in the host's thread and in its transactions.
 * @throws TypeError if the instance is of another engine, in memory, or of another copy of SQLite
 */
export const fileOfKysely = (kysely: HostKysely): Promise<string> =>
  kysely
    .withoutPlugins()
    .connection()
    .execute(async (connection) => {
      const found = await FILE.execute(connection).catch(() => undefined)
      if (found === undefined)
        throw new TypeError(
          'the Kysely instance is not of SQLite: give openPostgres that of a PostgreSQL database',
        )
      const [{ file } = { file: null }] = found.rows
      if (file === null || file === '')
        throw new TypeError(
          'the database of the Kysely instance is in memory, which only its own connection sees: use a file',
        )
      if (!(await whileLocked(connection, () => respectsLockOf(file)))) throw new TypeError(OTHER_COPY)
      return resolve(file)
    })
