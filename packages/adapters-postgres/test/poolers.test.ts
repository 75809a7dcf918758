import { setTimeout as pause } from 'node:timers/promises'
import { makeStore } from '@almoner/adapters-kysely'
import { type Pooler, type PoolerOptions, startPooler } from '@almoner/postgres-server'
import { done, failure } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import pg from 'pg'
import t from 'tap'
import { openPostgres } from '../src/index.ts'
import { engineOn, freshlyMigrated } from './store-of.ts'

// Poolers that do not keep sessions lose settings, prepared statements and LISTEN. Each is refused by name, and noticed at any later moment.

const refusal = async (options: Parameters<typeof openPostgres>[0]): Promise<string> => {
  const opened = await openPostgres(options)()
  if (E.isLeft(opened)) return (opened.left.cause as Error).message
  await opened.right.close()
  return 'opened'
}

const THROUGH: ReadonlyArray<PoolerOptions> = [
  { mode: 'transaction' },
  { mode: 'transaction', size: 1 },
  { mode: 'transaction', order: 'turn' },
  { mode: 'transaction', size: 2, order: 'turn' },
  { mode: 'transaction', size: 3, order: 'turn' },
  { mode: 'statement' },
  { mode: 'statement', size: 1 },
  { mode: 'statement', order: 'turn' },
]

t.test('a pooler in transaction or statement mode is refused with the setting to change', async (t) => {
  const { cluster, name } = await freshlyMigrated()
  for (const options of THROUGH) {
    const pooler = await startPooler(cluster, options)
    const pool = new pg.Pool({ connectionString: pooler.url(name) })
    // A client that was there before may leave sessions behind, or hold one.
    const other = new pg.Client(pooler.url(name))
    await other.connect()
    for (const busy of [false, true]) {
      if (busy) await other.query('select 1')
      const message = await refusal({ pool })
      t.match(
        message,
        /pooler in transaction or statement mode.*pool_mode = session.*ALMONER_DATABASE/,
        JSON.stringify(options),
      )
    }
    await other.end()
    await pool.end()
    await pooler.close()
  }
})

t.test('a pooler in session mode serves, and its changes are heard', async (t) => {
  const { cluster, name, url } = await freshlyMigrated()
  const pooler = await startPooler(cluster, { mode: 'session' })
  const [behind, direct] = [await engineOn(pooler.url(name)), await engineOn(url)]
  t.equal(behind.trouble(), undefined)
  const before = behind.version()
  while (behind.version() < before + 3) {
    await done(makeStore(direct).users.prefer('a@example.org' as never, {}))
    await pause(5)
  }
  t.ok(await done(makeStore(behind).users.find('a@example.org' as never)))
  await behind.close()
  await direct.close()
  await pooler.close()
})

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await pause(10)
}

/** Ways in which a pooler changes under a running process. */
const CHANGES: Readonly<Record<string, (pooler: Pooler) => void>> = {
  'restarted in transaction mode': (pooler) => pooler.restart({ mode: 'transaction' }),
  'restarted with one session': (pooler) => pooler.restart({ mode: 'transaction', size: 1 }),
  'restarted, sessions in turn': (pooler) => pooler.restart({ mode: 'transaction', order: 'turn' }),
  'restarted in statement mode': (pooler) => pooler.restart({ mode: 'statement' }),
  'reloaded in transaction mode': (pooler) => pooler.reload('transaction'),
}

t.test(
  'a pooler that changes its mode later is noticed; nothing is written then, and all works again afterwards',
  async (t) => {
    await Promise.all(
      Object.entries(CHANGES).map(async ([change, apply]) => {
        const { cluster, name } = await freshlyMigrated()
        const pooler = await startPooler(cluster, { mode: 'session' })
        const database = await engineOn(pooler.url(name))
        const { users } = makeStore(database)
        database.version()
        await done(users.prefer('before@example.org' as never, {}))
        apply(pooler)
        await until(() => /pooler in transaction or statement mode/.test(database.trouble() ?? ''))
        t.equal(await failure(users.prefer('meanwhile@example.org' as never, {})), 'Unavailable', change)
        pooler.restart({ mode: 'session' })
        await until(() => database.trouble() === undefined)
        await done(users.prefer('after@example.org' as never, {}))
        await database.close()
        await pooler.close()
      }),
    )
  },
)
