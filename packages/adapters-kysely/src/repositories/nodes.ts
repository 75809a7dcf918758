import type { Node, Nodes } from '@almoner/domain/ports'
import { addMillis, MINUTE } from '@almoner/domain/values'
import type { Database } from '../database/database.ts'
import { quietly } from '../database/writes.ts'
import type { NodeRow } from '../schema/service.table.ts'

const nodeOf = ({ id, name, last_seen_at, settings }: NodeRow): Node => ({
  id,
  name,
  lastSeenAt: last_seen_at,
  settings: JSON.parse(settings),
})

/** The running servers of a database; a restore ignores them. */
export const NODE_TABLE = 'node'

/** The running servers of a database. They are not cached, so all writes are quiet. */
export const makeNodes = (database: Database): Nodes => ({
  beat: ({ id, name, lastSeenAt, settings }, forgotten) =>
    quietly(database, async (db) => {
      const columns = { name, last_seen_at: lastSeenAt, settings: JSON.stringify(settings) }
      await db
        .insertInto('node')
        .values({ id, ...columns })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
        .execute()
      // Those ahead of this beat: `isFarAhead`.
      await db
        .deleteFrom('node')
        .where(({ eb }) =>
          eb.or([eb('last_seen_at', '<', forgotten), eb('last_seen_at', '>', addMillis(lastSeenAt, MINUTE))]),
        )
        .execute()
    }),

  since: (moment) =>
    database.read(async (db) => {
      const rows = await db
        .selectFrom('node')
        .selectAll()
        .where('last_seen_at', '>=', moment)
        .orderBy('name')
        .orderBy('id')
        .execute()
      return rows.map(nodeOf)
    }),

  deregister: (id) =>
    quietly(database, async (db) => {
      await db.deleteFrom('node').where('id', '=', id).execute()
    }),
})
