import type { Unavailable } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Db, Manner } from './database.ts'
import type { Runner } from './runner.ts'

/**
 * Runs a purge as one transaction and gives how many rows it deleted. A purge that found nothing is rolled back: a commit would change the
 * data version, and every node would clear its caches.
 * @param manner `quiet` if no cache contains the purged rows
 */
export const purging =
  (runner: Runner, purge: (db: Db) => Promise<number>, manner?: Manner): TE.TaskEither<Unavailable, number> =>
  async () => {
    const purged = await runner.write(async (db): Promise<E.Either<'nothing', number>> => {
      const rows = await purge(db)
      return rows === 0 ? E.left('nothing') : E.right(rows)
    }, manner)()
    if (E.isRight(purged)) return purged
    return purged.left === 'nothing' ? E.right(0) : E.left(purged.left)
  }
