import type { Instant, Unavailable } from '@almoner/domain'
import type { Clock } from '@almoner/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { sql } from 'kysely'
import type { Database, Db } from '../../database/database.ts'
import type { MigrationRow } from '../service.table.ts'
import { initial } from './0001-initial.ts'
import { schedules } from './0002-schedules.ts'
import { images } from './0003-images.ts'
import { announcements } from './0004-announcements.ts'
import { older } from './0005-older.ts'
import { links } from './0006-links.ts'
import { topics } from './0007-topics.ts'
import { people } from './0008-people.ts'
import { changes } from './0009-changes.ts'
import { inbox } from './0010-inbox.ts'
import { waitingFeeds } from './0012-waiting-feeds.ts'
import { releasedImages } from './0013-released-images.ts'
import { drafts } from './0014-drafts.ts'
import { reasons } from './0015-reasons.ts'
import { proposals } from './0016-proposals.ts'
import { copyImages } from './0017-copy-images.ts'
import { previews } from './0018-previews.ts'
import { leases } from './0020-leases.ts'
import { signals } from './0021-signals.ts'
import { failedAttempts } from './0022-failed-attempts.ts'
import { countedRequests } from './0023-counted-requests.ts'
import { adopt, isUnreleased } from './adoption.ts'
import { checksumOf, type Migration, TABLE, tableOfMigrations } from './migration.ts'
import type { SchemaFault, SchemaOutdated } from './schema-fault.ts'

/** The schema's whole history, in order. */
export const MIGRATIONS: ReadonlyArray<Migration> = [
  initial,
  schedules,
  images,
  announcements,
  older,
  links,
  topics,
  people,
  changes,
  inbox,
  waitingFeeds,
  releasedImages,
  drafts,
  reasons,
  proposals,
  copyImages,
  previews,
  leases,
  signals,
  failedAttempts,
  countedRequests,
]

/** The state of a database's schema. */
export interface SchemaPlan {
  /** The database holds no tables yet. */
  readonly isEmpty: boolean
  /** Names of the migrations still to be applied, in order. */
  readonly pending: ReadonlyArray<string>
}

/** Called when a migration begins, with its name, its number from 1, and how many there are. */
type OnMigration = (name: string, number: number, of: number) => void

/** Brings a schema up to date: forward only, all or nothing. */
export interface Migrator {
  /** Returns what `migrate` would do. Changes nothing. */
  plan(): TE.TaskEither<SchemaFault | Unavailable, SchemaPlan>
  /**
   * Applies the pending migrations in one transaction that excludes a second runner; returns their names. `onWait` is called when it waits for
   * another runner.
   */
  migrate(
    onMigration?: OnMigration,
    onWait?: () => void,
  ): TE.TaskEither<SchemaFault | Unavailable, ReadonlyArray<string>>
  /** For commands: fills an empty database and rejects one that is older than the program. */
  ensureCurrent(): TE.TaskEither<SchemaFault | SchemaOutdated | Unavailable, void>
  /** Returns when the first migration was applied, by which two databases differ; none without tables (D6). */
  since(): TE.TaskEither<Unavailable, O.Option<Instant>>
}

/** Returns those of the known migrations that are still to be applied, in order, or why this history is not ours. */
export const pendingMigrations = <M extends { readonly name: string }>(
  known: ReadonlyArray<M>,
  applied: ReadonlyArray<string>,
): E.Either<SchemaFault, ReadonlyArray<M>> => {
  const unknown = applied.find((name) => known.every((one) => one.name !== name))
  if (unknown !== undefined) return E.left({ _tag: 'MigrationUnknown', name: unknown })
  const skipped = known.slice(0, applied.length).find(({ name }) => !applied.includes(name))
  return skipped === undefined
    ? E.right(known.slice(applied.length))
    : E.left({ _tag: 'MigrationSkipped', name: skipped.name })
}

/** What a database holds. */
interface Survey {
  readonly isEmpty: boolean
  /** The history of an unreleased state, which the first of the pending migrations adopts; empty for any other database. */
  readonly unreleased: ReadonlyArray<string>
  readonly pending: ReadonlyArray<Migration>
}

/** Makes a migrator for a database. `migrations` is the whole history, in order: usually {@link MIGRATIONS}. */
export const makeMigrator = (
  database: Database,
  clock: Clock,
  migrations: ReadonlyArray<Migration>,
): Migrator => {
  const { dialect } = database

  const names = async (db: Db, query: string): Promise<ReadonlyArray<string>> =>
    (await sql<{ readonly name: string }>`${sql.raw(query)}`.execute(db)).rows.map(({ name }) => name)

  /** Returns the record of migrations in order; undefined if the table is another program's, which has other columns. */
  const recorded = async (db: Db): Promise<ReadonlyArray<MigrationRow> | undefined> => {
    // An empty table has a row without values, which shows its columns.
    const rows = await db
      .selectFrom(sql`(select 1)`.as('one'))
      .leftJoin(TABLE, (join) => join.onTrue())
      .selectAll(TABLE)
      .execute()
    const isOurs = rows.every((row) => ['name', 'checksum', 'applied_at'].every((column) => column in row))
    if (!isOurs) return undefined
    const applied = rows.filter((row): row is MigrationRow => row.name !== null)
    return applied.sort((one, other) => (one.name < other.name ? -1 : 1))
  }

  const surveyEmpty = async (db: Db): Promise<E.Either<SchemaFault, Survey>> => {
    const [schema] = dialect.otherTableSets === undefined ? [] : await names(db, dialect.otherTableSets)
    return schema === undefined
      ? E.right({ isEmpty: true, unreleased: [], pending: migrations })
      : E.left({ _tag: 'TablesElsewhere', schema })
  }

  const survey = async (db: Db): Promise<E.Either<SchemaFault, Survey>> => {
    const tables = await names(db, dialect.tableNames)
    if (tables.length === 0) return surveyEmpty(db)
    if (!tables.includes(TABLE)) return E.left({ _tag: 'ForeignDatabase' })
    const rows = await recorded(db)
    if (rows === undefined) return E.left({ _tag: 'ForeignDatabase' })
    const applied = rows.map(({ name }) => name)
    const unreleased = migrations[0] === initial && isUnreleased(applied) ? applied : []
    return pipe(
      pendingMigrations(migrations, unreleased.length > 0 ? [] : applied),
      E.map((pending) => ({ isEmpty: false, unreleased, pending })),
    )
  }

  const createTable = async (db: Db, isEmpty: boolean): Promise<void> => {
    await sql.raw(tableOfMigrations(dialect)).execute(db)
    if (isEmpty) for (const statement of dialect.tableSetMark) await sql.raw(statement).execute(db)
  }

  const record = async (db: Db, migration: Migration, appliedAt: Instant): Promise<void> => {
    const row = { name: migration.name, checksum: checksumOf(migration, dialect), applied_at: appliedAt }
    await db.insertInto(TABLE).values(row).execute()
  }

  const apply = async (db: Db, migration: Migration): Promise<void> => {
    for (const statement of migration.statements(dialect)) await sql.raw(statement).execute(db)
    await record(db, migration, clock.now())
  }

  const lock = async (db: Db, onWait: () => void): Promise<void> => {
    if (dialect.migrationLock === undefined) return
    const { attempt, wait } = dialect.migrationLock
    const { rows } = await sql<{ readonly taken: boolean }>`${sql.raw(attempt)}`.execute(db)
    if (rows[0]?.taken === true) return
    onWait()
    await sql.raw(wait).execute(db)
  }

  const run = async (db: Db, onMigration: OnMigration, onWait: () => void) => {
    await lock(db, onWait)
    const found = await survey(db)
    if (E.isLeft(found)) return found
    await createTable(db, found.right.isEmpty)
    const { pending, unreleased } = found.right
    for (const [at, migration] of pending.entries()) {
      onMigration(migration.name, at + 1, pending.length)
      if (at === 0 && unreleased.length > 0) await record(db, migration, await adopt(db, dialect, unreleased))
      else await apply(db, migration)
    }
    return E.right(pending.map(({ name }) => name))
  }

  const plan = () =>
    pipe(
      database.read(survey),
      TE.flatMapEither(identity),
      TE.map(({ isEmpty, pending }) => ({ isEmpty, pending: pending.map(({ name }) => name) })),
    )

  /** A current schema is not written to: the database may be one that only reads (I10). */
  const migrate: Migrator['migrate'] = (onMigration = () => {}, onWait = () => {}) =>
    pipe(
      plan(),
      TE.flatMap(({ pending }) =>
        pending.length === 0
          ? TE.right([])
          : database.write((db) => run(db, onMigration, onWait), { timeout: 'none', onWait }),
      ),
    )

  const settle = ({ isEmpty, pending }: SchemaPlan): ReturnType<Migrator['ensureCurrent']> => {
    if (isEmpty) return TE.asUnit(migrate())
    return pending.length === 0 ? TE.right(undefined) : TE.left({ _tag: 'SchemaOutdated', pending })
  }

  const since = () =>
    database.read(async (db) => {
      if (!(await names(db, dialect.tableNames)).includes(TABLE)) return O.none
      const [first] = (await recorded(db)) ?? []
      return O.fromNullable(first?.applied_at)
    })

  return { plan, migrate, ensureCurrent: () => pipe(plan(), TE.flatMap(settle)), since }
}
