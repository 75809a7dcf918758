import type { Clock, Unavailable } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { sql } from 'kysely'
import type { Database, Db } from '../../database/database.ts'
import { makeRunner } from '../../database/runner.ts'
import { type Migration, type PreparedMigration, prepared } from './migration.ts'
import { pendingMigrations } from './pending.ts'
import type { SchemaFault, SchemaOutdated } from './schema-fault.ts'

/** Where a database stands. */
export interface SchemaPlan {
  /** Nothing is in it yet. */
  readonly isEmpty: boolean
  /** Names of the migrations still to be applied, in order. */
  readonly pending: ReadonlyArray<string>
}

/** Hears of a step that begins: its name, which one it is, from 1, and how many there are. */
export type HearStep = (name: string, number: number, of: number) => void

/** Brings a schema up to date: forward only, all or nothing. */
export interface Migrator {
  /** What `migrate` would do. Changes nothing. */
  plan(): TE.TaskEither<SchemaFault | Unavailable, SchemaPlan>
  /**
   * Applies the pending migrations in one transaction, excluding a second runner, and returns their names. Calls `told` before each one, with the
   * total number.
   */
  migrate(told?: HearStep): TE.TaskEither<SchemaFault | Unavailable, ReadonlyArray<string>>
  /** For commands: fills an empty database and refuses one that is older than the program. */
  ensureCurrent(): TE.TaskEither<SchemaFault | SchemaOutdated | Unavailable, void>
}

interface Survey {
  readonly isEmpty: boolean
  readonly pending: ReadonlyArray<PreparedMigration>
}

const TABLE = 'schema_migrations'

/** A migrator for an engine. `migrations` is the whole history, in order: usually {@link MIGRATIONS}. */
export const makeMigrator = (
  database: Database,
  clock: Clock,
  migrations: ReadonlyArray<Migration>,
): Migrator => {
  const { dialect } = database
  const runner = makeRunner(database)
  const known = migrations.map(prepared(dialect))

  const survey = async (db: Db): Promise<E.Either<SchemaFault, Survey>> => {
    const { rows } = await sql<{ readonly name: string }>`${sql.raw(dialect.tableNames)}`.execute(db)
    if (rows.length === 0) return E.right({ isEmpty: true, pending: known })
    if (!rows.some(({ name }) => name === TABLE)) return E.left({ _tag: 'ForeignDatabase' })
    const applied = await db.selectFrom(TABLE).select(['name', 'checksum']).orderBy('name').execute()
    return pipe(
      pendingMigrations(known, applied),
      E.map((pending) => ({ isEmpty: false, pending })),
    )
  }

  const apply = async (db: Db, { name, checksum, statements }: PreparedMigration) => {
    for (const statement of statements) await sql.raw(statement).execute(db)
    await db.insertInto(TABLE).values({ name, checksum, applied_at: clock.now() }).execute()
    return name
  }

  const createTable = sql.raw(`create table if not exists ${TABLE} (
    name ${dialect.text} not null primary key,
    checksum ${dialect.text} not null,
    applied_at ${dialect.integer} not null
  ) ${dialect.tableOptions}`)

  const run = async (db: Db, told: HearStep): Promise<E.Either<SchemaFault, ReadonlyArray<string>>> => {
    if (dialect.migrationLock !== undefined) await sql.raw(dialect.migrationLock).execute(db)
    const found = await survey(db)
    if (E.isLeft(found)) return found
    await createTable.execute(db)
    const names: Array<string> = []
    const { pending } = found.right
    for (const migration of pending) {
      told(migration.name, names.length + 1, pending.length)
      names.push(await apply(db, migration))
    }
    return E.right(names)
  }

  const plan = () =>
    pipe(
      runner.read(survey),
      TE.flatMapEither(identity),
      TE.map(({ isEmpty, pending }) => ({ isEmpty, pending: pending.map(({ name }) => name) })),
    )

  const migrate = (told: HearStep = () => {}) => runner.write((db) => run(db, told), 'schema')

  const settle = ({ isEmpty, pending }: SchemaPlan): ReturnType<Migrator['ensureCurrent']> => {
    if (isEmpty) return TE.asUnit(migrate())
    return pending.length === 0 ? TE.right(undefined) : TE.left({ _tag: 'SchemaOutdated', pending })
  }

  const ensureCurrent = () => pipe(plan(), TE.flatMap(settle))

  return { plan, migrate, ensureCurrent }
}
