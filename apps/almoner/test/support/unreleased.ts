import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Database } from '@almoner/adapters-kysely'
import { openPostgres, parsePostgresUrl } from '@almoner/adapters-postgres'
import { openSqlite } from '@almoner/adapters-sqlite'
import { sharedCluster } from '@almoner/postgres-server'
import { done } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import { sql } from 'kysely'
import type { Ended } from './almoner.ts'
import { inProcess } from './in-process.ts'

/** The commits whose databases and archives are adopted (ADR 53). */
export const COMMITS = ['3eeb9f0d', 'd14f9626'] as const
export type Commit = (typeof COMMITS)[number]

const FIXTURES = join(import.meta.dirname, '../fixtures/unreleased')

const unpacked = (name: string): Buffer => gunzipSync(readFileSync(join(FIXTURES, `${name}.gz`)))

/** Unpacks a backup or an export that the program of a commit wrote into a folder. Returns its path. */
export const unpackFixture = (commit: Commit, kind: 'backup' | 'export', folder: string): string => {
  const file = join(folder, `${commit}.${kind}.tar`)
  writeFileSync(file, unpacked(`${commit}.${kind}.tar`))
  return file
}

type OpenDatabase = Database & { readonly close: () => Promise<void> }

/** A service without tables on an engine. */
export interface EmptyService {
  readonly command: (...args: ReadonlyArray<string>) => Promise<Ended>
  readonly open: () => Promise<OpenDatabase>
  /** Puts the database of a commit there. */
  readonly load: (commit: Commit) => Promise<void>
}

const onSqlite = async (folder: string): Promise<EmptyService> => {
  const file = join(folder, `${randomUUID()}.db`)
  const variables = { ALMONER_DATABASE: `sqlite:${file}`, ALMONER_MEDIA: `file:${file}.media` }
  const command = (...args: ReadonlyArray<string>) => inProcess(args, variables)
  return {
    command,
    open: () => done(openSqlite({ file })),
    load: async (commit) => {
      const { code, err } = await command('restore', unpackFixture(commit, 'backup', folder))
      if (code !== 0) throw new Error(err)
    },
  }
}

const onPostgres = async (folder: string): Promise<EmptyService> => {
  const cluster = await sharedCluster()
  const name = `unreleased_${randomUUID().replaceAll('-', '')}`
  await cluster.createDatabase(name)
  const url = cluster.url(name)
  const place = parsePostgresUrl(url)
  if (E.isLeft(place)) throw new Error(place.left)
  const variables = { ALMONER_DATABASE: url, ALMONER_MEDIA: `file:${folder}/${name}` }
  return {
    command: (...args) => inProcess(args, variables),
    open: () => done(openPostgres({ place: place.right })),
    load: async (commit) => {
      // The tables may be in any schema: that of a host's pool, or one that the operator has chosen.
      const schema = commit === '3eeb9f0d' ? 'public' : '"of a host"'
      const statements = unpacked(`${commit}.postgres.sql`).toString()
      await cluster.ask(
        `create schema if not exists ${schema}; set search_path to ${schema}; ${statements}`,
        name,
      )
    },
  }
}

/** Makes an empty service, with its files in a folder. */
export const EMPTY_SERVICES = { SQLite: onSqlite, PostgreSQL: onPostgres } as const
export type Engine = keyof typeof EMPTY_SERVICES

export type Row = Readonly<Record<string, unknown>>

/** The rows of every table of a database, without those of the search index, which is derived. */
export type Content = ReadonlyMap<string, ReadonlyArray<Row>>

const ask = async (database: Database, query: string): Promise<ReadonlyArray<Row>> =>
  done(database.read(async (db) => (await sql<Row>`${sql.raw(query)}`.execute(db)).rows))

const tablesOf = async (database: Database): Promise<ReadonlyArray<string>> =>
  (await ask(database, database.dialect.tableNames)).map(({ name }) => String(name)).sort()

/** Reads all rows of a database. */
export const contentOf = async (database: Database): Promise<Content> => {
  const tables = (await tablesOf(database)).filter((name) => !/_(?:search|terms|words)/.test(name))
  const content = new Map<string, ReadonlyArray<Row>>()
  for (const table of tables) content.set(table, await ask(database, `select * from ${table}`))
  return content
}

const SQLITE_SCHEMA = ['select type, name, tbl_name, sql from sqlite_schema where sql is not null']

const POSTGRES_SCHEMA = [
  `select table_name, column_name, ordinal_position, data_type, collation_name, is_nullable, column_default, identity_generation,
    is_generated, generation_expression from information_schema.columns where table_schema = current_schema()`,
  `select relname, conname, contype, pg_get_constraintdef(pg_constraint.oid) as definition from pg_constraint
    join pg_class on pg_class.oid = conrelid join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = current_schema()`,
  `select tablename, indexname, replace(indexdef, quote_ident(schemaname) || '.', '') as definition from pg_indexes
    where schemaname = current_schema()`,
  `select sequencename, data_type, start_value, increment_by from pg_sequences where schemaname = current_schema()`,
]

/** Writes a statement as SQLite keeps it, regardless of quotes and of spaces beside punctuation. */
const plain = (value: unknown) =>
  typeof value === 'string' ? value.replaceAll('"', '').replaceAll(/\s*([(),]|\s)\s*/g, '$1') : value

/** Returns a line for each column, constraint, index and sequence of a database. On SQLite the statements themselves have all of them. */
export const schemaOf = async (database: Database): Promise<ReadonlyArray<string>> => {
  const isSqlite = database.dialect.migrationLock === undefined
  const lines: Array<string> = []
  for (const query of isSqlite ? SQLITE_SCHEMA : POSTGRES_SCHEMA)
    for (const row of await ask(database, query)) lines.push(JSON.stringify(Object.values(row).map(plain)))
  return lines.sort()
}
