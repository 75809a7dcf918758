import { statSync } from 'node:fs'
import type { Unavailable } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { useFolderOf } from './erase.ts'
import { IN_USE, type InUse, isInUse } from './in-use.ts'
import { withDriver } from './unavailable.ts'

/** Sizes of a database file, in bytes. */
export interface Vacuumed {
  readonly before: number
  readonly after: number
}

/**
 * Shrinks a database file to its content, which SQLite never does by itself. It rewrites the database beside the old one and then over it, in
 * one transaction, so a crash leaves it complete. Needs room for the content twice, beside the database.
 * @returns InUse without a change, if another process has the database open
 */
export const vacuumSqlite = (file: string): TE.TaskEither<InUse | Unavailable, Vacuumed> =>
  pipe(
    withDriver(file, {}, (database): E.Either<InUse, Vacuumed> => {
      if (isInUse(database)) return E.left(IN_USE)
      const before = statSync(file).size
      useFolderOf(file)
      database.exec('vacuum')
      return E.right({ before, after: statSync(file).size })
    }),
    TE.flatMapEither(identity),
  )
