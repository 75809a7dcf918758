import { closeSync, openSync } from 'node:fs'
import { type NamedImage, rowsOf, STORAGE_TABLE, TRANSFER_TABLES } from '@almoner/adapters-kysely'
import type { Unavailable } from '@almoner/domain'
import type { StorageId } from '@almoner/domain/media'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { sql } from 'kysely'
import { openConnection } from './connection.ts'
import { SQLITE } from './sql-dialect.ts'
import { withDriver } from './unavailable.ts'

const OWNER_ONLY = 0o600
/** KiB of pages kept in memory: a copy comes by each page once. */
const CACHE = 2000
const TIMEOUT = 5000
const READONLY = { readonly: true, timeout: TIMEOUT }
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
  withDriver(file, READONLY, (source) => {
    closeSync(openSync(to, 'wx', OWNER_ONLY))
    source.prepare('vacuum into ?').run(to)
  })

/** Returns the errors of a database: in its structure, its indexes and its foreign keys. */
export const sqliteFaults = (file: string): TE.TaskEither<Unavailable, ReadonlyArray<string>> =>
  withDriver(file, READONLY, (database) => {
    const answers = database.prepare<[], string>(`pragma integrity_check(${FAULTS})`).pluck().all()
    const broken = database.prepare<[], string>('pragma foreign_key_check').pluck().all()
    const tables = [...new Set(broken)].map((table) => `${table} refers to rows that are not there`)
    return [...answers.filter((answer) => answer !== 'ok'), ...tables]
  })

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
  withDriver(file, READONLY, (database) => {
    const tables = database.prepare<[], string>(SQLITE.tableNames).pluck().all()
    if (!tables.includes(STORAGE_TABLE)) return O.none
    return O.fromNullable(database.prepare<[], StorageId>(`select id from ${STORAGE_TABLE}`).pluck().get())
  })
