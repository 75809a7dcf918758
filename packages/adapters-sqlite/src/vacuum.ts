import { statSync } from 'node:fs'
import type { Unavailable } from '@almoner/domain'
import Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { IN_USE, type InUse } from './in-use.ts'
import { isInUse } from './is-in-use.ts'
import { onFile } from './unavailable.ts'

/** Sizes of a database file, in bytes. */
export interface Vacuumed {
  readonly before: number
  readonly after: number
}

const vacuum = async (file: string): Promise<E.Either<InUse, Vacuumed>> => {
  const database = new Database(file, { fileMustExist: true })
  try {
    if (isInUse(database)) return E.left(IN_USE)
    const before = statSync(file).size
    database.exec('vacuum')
    return E.right({ before, after: statSync(file).size })
  } finally {
    database.close()
  }
}

/**
 * Shrinks a database file to its content, which SQLite never does by itself. It rewrites the database beside the old one and then over it, in
 * one transaction, so a crash leaves it complete.
 * @returns InUse without a change, if another process has the database open
 */
export const vacuumSqlite = (file: string): TE.TaskEither<InUse | Unavailable, Vacuumed> =>
  pipe(
    onFile(() => vacuum(file)),
    TE.flatMapEither(identity),
  )
