import { sqliteMigrations } from '@almoner/adapters-sqlite'
import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'

/** The tables of this service. It has a `client` too, as Almoner does, whose tables begin with `almoner_`. */
export interface Tables {
  readonly client: { readonly id: string; readonly email: string; readonly staff: 0 | 1 }
  readonly session: { readonly secret: string; readonly client_id: string }
}

export const PREFIX = 'almoner_'

const OWN: Readonly<Record<string, Migration>> = {
  '2026-01-clients': {
    up: async (db) => {
      await db.schema
        .createTable('client')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('email', 'text', (column) => column.notNull())
        .addColumn('staff', 'integer', (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('session')
        .addColumn('secret', 'text', (column) => column.primaryKey())
        .addColumn('client_id', 'text', (column) => column.notNull())
        .execute()
    },
  },
}

const migrate = async (
  db: Kysely<Tables>,
  table: string,
  migrations: Readonly<Record<string, Migration>>,
) => {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => ({ ...migrations }) },
    migrationTableName: table,
    migrationLockTableName: `${table}_lock`,
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}

/** Opens the database of this service, and brings its tables and Almoner's up to date with one runner. */
export const openDatabase = async (file: string): Promise<Kysely<Tables>> => {
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: new Database(file) }) })
  await migrate(db, 'own_migration', OWN)
  // Kysely sorts migrations by name, so that two lists need two tables.
  const list = sqliteMigrations({ prefix: PREFIX }).map((migration) => [migration.name, migration] as const)
  await migrate(db, 'almoner_runner', Object.fromEntries(list))
  return db
}
