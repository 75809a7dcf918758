import type { Unavailable } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Database, Db, WriteOptions } from './database.ts'

/**
 * Runs a purge as one transaction and returns how many rows it deleted. A purge that found nothing is rolled back: a commit would change the
 * data version, and every node would clear its caches.
 */
export const purging =
  (
    database: Database,
    purge: (db: Db) => Promise<number>,
    options?: WriteOptions,
  ): TE.TaskEither<Unavailable, number> =>
  async () => {
    const purged = await database.write(async (db): Promise<E.Either<'nothing', number>> => {
      const rows = await purge(db)
      return rows === 0 ? E.left('nothing') : E.right(rows)
    }, options)()
    if (E.isRight(purged)) return purged
    return purged.left === 'nothing' ? E.right(0) : E.left(purged.left)
  }
