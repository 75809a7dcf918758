import { type Database, type Db, makeStore, type Store } from '@almoner/adapters-kysely'
import type { Unavailable } from '@almoner/domain'
import { done, SAMPLE_MOMENT, sampleClient } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { sql } from 'kysely'
import t from 'tap'
import { begin, fill, serve } from '../../adapters-sqlite/test/sending/served.ts'
import { freshStore, type Opened, storeOn } from './store-of.ts'

/** Rows to purge, ten steps of 2,000. */
const ROWS = 20_000

interface Purging {
  readonly table: 'ledger' | 'access_token' | 'idempotency_key' | 'audit_record'
  /** The index that finds the rows. */
  readonly index: string
  readonly setUp: (store: Opened) => Promise<unknown>
  readonly rows: string
  readonly purge: (store: Store) => TaskEither<Unavailable, number>
}

const PURGES: ReadonlyArray<Purging> = [
  {
    table: 'ledger',
    index: 'ledger_pkey',
    setUp: async (store) => {
      await fill(store, 0, 1)
      await begin(store)
      await serve(store, 1)
    },
    rows: `insert into ledger select id, 1000 + n, 'delivered', 1 from delivery, generate_series(1, ${ROWS}) n`,
    purge: ({ retention }) => retention.purgeDeliveries(SAMPLE_MOMENT),
  },
  {
    table: 'access_token',
    index: 'access_token_expires_at',
    setUp: (store) => done(store.clients.add(sampleClient('app'), 'hash')),
    rows: `insert into access_token (digest, client_id, scopes, expires_at, life)
      select 'digest ' || n, 'app', '[]', n, 1 from generate_series(1, ${ROWS}) n`,
    purge: ({ accessTokens }) => accessTokens.purge(SAMPLE_MOMENT),
  },
  {
    table: 'idempotency_key',
    index: 'idempotency_key_used',
    setUp: async () => {},
    rows: `insert into idempotency_key (client_id, key, digest, used_at, status, body)
      select 'app', 'key ' || n, '', n, 200, '' from generate_series(1, ${ROWS}) n`,
    purge: ({ idempotencyKeys }) => idempotencyKeys.purge(SAMPLE_MOMENT),
  },
  {
    table: 'audit_record',
    index: 'audit_record_expiring',
    setUp: async () => {},
    rows: `insert into audit_record (at, actor_kind, actor_id, action, subject_kind, subject_id, is_latest, changes)
      select n, 'client', 'app', 'update', 'client', 'app', 0, '[]' from generate_series(1, ${ROWS}) n`,
    purge: ({ history }) => history.purge(SAMPLE_MOMENT),
  },
]

/** Adds the entries that each write reads of an index to a list. */
const watched = (database: Database, index: string, reads: Array<number>): Database => {
  const readBy = async (db: Db): Promise<number> => {
    const read = sql<{
      readonly count: number
    }>`select pg_stat_get_xact_tuples_returned(${index}::regclass) as count`
    return Number((await read.execute(db)).rows[0]?.count)
  }
  return {
    ...database,
    write: (work, options) =>
      database.write(async (db) => {
        const before = await readBy(db)
        const result = await work(db)
        reads.push((await readBy(db)) - before)
        return result
      }, options),
  }
}

for (const { table, index, setUp, rows, purge } of PURGES)
  t.test(
    `A6, G8, I4, K3: steps of a purge of ${table} do not read deleted rows that another transaction sees`,
    async (t) => {
      const mine = await freshStore()
      const theirs = await storeOn(mine.url)
      await setUp(mine)
      const filled = mine.database.write(async (db) => {
        await sql.raw(rows).execute(db)
        return E.right(await sql.raw(`analyze ${table}`).execute(db))
      })
      await done(filled)
      const reads: Array<number> = []
      const purgeSome = purge(makeStore(watched(theirs.database, index, reads)))
      const seen = mine.database.readSnapshot(async (db) => {
        const count = async () => {
          const counted = db.selectFrom(table).select(({ fn }) => fn.countAll().as('count'))
          return Number((await counted.executeTakeFirst())?.count)
        }
        const before = await count()
        while ((await done(purgeSome)) > 0);
        return [before, await count()]
      })
      const [before = 0, after] = await done(seen)
      t.ok(before >= ROWS)
      t.equal(after, before, 'the other transaction sees them')
      const steps = reads.filter((read) => read > 0)
      t.ok(steps.length >= 10)
      // A step finds its end, its rows and them by their keys. The last ones look at all again.
      t.strictSame(
        steps.slice(0, 9).filter((read) => read > 4 * 2000),
        [],
      )
      await theirs.close()
      await mine.close()
    },
  )
