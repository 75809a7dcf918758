import type { ClientOverview } from '@almoner/domain/access'
import type { Clients } from '@almoner/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import { insertChunks } from '../../database/chunks.ts'
import type { Database } from '../../database/database.ts'
import { quietly } from '../../database/writes.ts'
import { clientOf, secretOf } from './client-rows.ts'

/** Reads all clients, their secrets and their last uses from one state. */
export const overview =
  (database: Database): Clients['overview'] =>
  () =>
    database.readSnapshot(async (db): Promise<ReadonlyArray<ClientOverview>> => {
      const rows = await db
        .selectFrom('client')
        .leftJoin('client_use', 'client_use.client_id', 'client.id')
        .selectAll('client')
        .select('client_use.used_at')
        .orderBy('client.id')
        .execute()
      const secrets = await db.selectFrom('client_secret').selectAll().orderBy('seq', 'desc').execute()
      const ofClient = Map.groupBy(secrets, ({ client_id }) => client_id)
      return rows.map((row) => ({
        client: clientOf(row),
        secrets: (ofClient.get(row.id) ?? []).map(secretOf),
        lastUsedAt: O.fromNullable(row.used_at),
      }))
    })

/** Stores last uses, in the order of the ids, so that two processes never wait for each other. No cache holds them. */
export const noteUses =
  (database: Database): Clients['noteUses'] =>
  (uses) =>
    quietly(database, async (db) => {
      const rows = [...uses]
        .map(([client_id, used_at]) => ({ client_id, used_at }))
        .sort((a, b) => (a.client_id < b.client_id ? -1 : 1))
      for (const chunk of insertChunks(rows))
        await db
          .insertInto('client_use')
          .values(chunk)
          .onConflict((conflict) =>
            conflict
              .column('client_id')
              .doUpdateSet(({ ref }) => ({ used_at: ref('excluded.used_at') }))
              .whereRef('client_use.used_at', '<', 'excluded.used_at'),
          )
          .execute()
    })
