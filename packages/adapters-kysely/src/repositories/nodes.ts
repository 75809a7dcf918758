import type { Node, Nodes } from '@almoner/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Runner } from '../database/runner.ts'
import type { NodeRow } from '../schema/schema.ts'

const nodeOf = ({ id, name, told_at, settings }: NodeRow): Node => ({
  id,
  name,
  toldAt: told_at,
  settings: JSON.parse(settings),
})

/** The running servers of a database; a restore ignores them. */
export const NODE_TABLE = 'node'

/** The running servers of a database. They are not cached, so all writes are quiet. */
export const makeNodes = (runner: Runner): Nodes => ({
  tell: ({ id, name, toldAt, settings }, forgotten) =>
    runner.write(async (db): Promise<E.Either<never, void>> => {
      const columns = { name, told_at: toldAt, settings: JSON.stringify(settings) }
      await db
        .insertInto('node')
        .values({ id, ...columns })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
        .execute()
      await db.deleteFrom('node').where('told_at', '<', forgotten).execute()
      return E.right(undefined)
    }, 'quiet'),

  since: (moment) =>
    runner.read(async (db) => {
      const rows = await db
        .selectFrom('node')
        .selectAll()
        .where('told_at', '>=', moment)
        .orderBy('name')
        .orderBy('id')
        .execute()
      return rows.map(nodeOf)
    }),

  leave: (id) =>
    runner.write(async (db): Promise<E.Either<never, void>> => {
      await db.deleteFrom('node').where('id', '=', id).execute()
      return E.right(undefined)
    }, 'quiet'),
})
