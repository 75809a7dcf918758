import { createHash } from 'node:crypto'
import { type Kysely, type QueryResult, sql } from 'kysely'
import type { SqlDialect } from '../../database/database.ts'

/** One step of the schema's history. It never changes once it has been released: another one follows it. */
export interface Migration {
  /** Begins with a number: migrations are applied in the order of their names. */
  readonly name: string
  /** Its text for an engine. It names no schema: that of the connection holds the tables. */
  readonly statements: (dialect: SqlDialect) => ReadonlyArray<string>
}

/** Returns the SHA-256 of a migration's text for an engine. A test pins the released ones. */
export const checksumOf = ({ statements }: Migration, dialect: SqlDialect): string =>
  createHash('sha256').update(statements(dialect).join(';\n')).digest('hex')

/** The record of the migrations that were applied. */
export const TABLE = 'schema_migrations'

/** Returns the statement that creates {@link TABLE}. */
export const tableOfMigrations = ({ text, integer, tableOptions }: SqlDialect): string =>
  `create table if not exists ${TABLE} (
    name ${text} not null primary key,
    checksum ${text} not null,
    applied_at ${integer} not null
  ) ${tableOptions}`

/**
 * A migration for a runner of the host's choice, in the shape of Kysely's. It records itself for our own migrator, which then finds nothing to do.
 */
export interface HostMigration {
  readonly name: string
  /** SHA-256 of its text, the same for every schema and prefix. It never changes once the migration is released. */
  readonly checksum: string
  /** SQL to run in this order, on one connection: on PostgreSQL in a transaction. */
  readonly statements: ReadonlyArray<string>
  /**
   * Runs the statements on the one connection behind `db`. Does nothing if our own migrator has applied it. Rejects if the one before it is missing:
   * a runner that sorts needs them by name.
   */
  // biome-ignore lint/suspicious/noExplicitAny: Kysely's own type for the tables of a migration.
  up(db: Kysely<any>): Promise<void>
}

/** How an engine prepares migrations for a host. */
export interface HostMigrationParts {
  readonly dialect: SqlDialect
  /** Gives a statement the names that its tables have in the database. */
  readonly named?: (statement: string) => string
  /** Statements before and after those of each migration. */
  readonly before: ReadonlyArray<string>
  readonly after: ReadonlyArray<string>
  /** An expression for the present time in epoch milliseconds. */
  readonly now: string
  /** Statements that undo a migration which failed, where runners do not. */
  readonly undo: ReadonlyArray<string>
}

type Run = (statement: string) => Promise<QueryResult<{ readonly name: string }>>

const runAll = async (run: Run, statements: ReadonlyArray<string>): Promise<void> => {
  for (const statement of statements) await run(statement)
}

/** Returns migrations as a list for a host's own runner. */
export const hostMigrationsOf = (
  migrations: ReadonlyArray<Migration>,
  { dialect, named = (statement) => statement, before, after, now, undo }: HostMigrationParts,
): ReadonlyArray<HostMigration> =>
  migrations.map((migration, at) => {
    const { name } = migration
    const earlier = migrations[at - 1]?.name
    const checksum = checksumOf(migration, dialect)
    const own = [
      ...(at === 0 ? [tableOfMigrations(dialect), ...dialect.tableSetMark] : []),
      ...migration.statements(dialect),
      `insert into ${TABLE} (name, checksum, applied_at) values ('${name}', '${checksum}', ${now})`,
    ]
    const statements = [...before, ...own.map(named), ...after]
    const apply = async (run: Run): Promise<void> => {
      await runAll(run, [...before, named(tableOfMigrations(dialect))])
      const { rows } = await run(named(`select name from ${TABLE}`))
      const applied = rows.map((row) => row.name)
      if (earlier !== undefined && !applied.includes(earlier))
        throw new Error(`${name} comes after ${earlier}: give the runner the migrations by their names`)
      await runAll(run, applied.includes(name) ? after : [...own.map(named), ...after])
    }
    const up: HostMigration['up'] = async (db) => {
      const run: Run = (statement) => sql.raw<{ readonly name: string }>(statement).execute(db)
      await apply(run).catch(async (cause) => {
        await runAll(run, undo)
        throw cause
      })
    }
    return { name, checksum, statements, up }
  })
