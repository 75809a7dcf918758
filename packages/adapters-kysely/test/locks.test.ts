import type { ClientId } from '@almoner/domain'
import { instant } from '@almoner/domain/values'
import { sampleDevice, sampleEmail, sampleId, sampleNotificationId } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import t from 'tap'
import {
  attempt,
  type Database,
  makeStore,
  type SearchIndex,
  type SqlDialect,
  type Tables,
} from '../src/index.ts'

/** An index that finds everything. */
const NO_INDEX: SearchIndex = {
  tables: () => [],
  add: async () => {},
  remove: async () => {},
  replace: async () => {},
  relabel: async () => {},
  find: async (_db, { contentType }) => ({ from: `${contentType}_item`, conditions: [] }),
}

/** Returns one user to queries of users, and no other row. */
class OneUserDriver extends DummyDriver {
  override acquireConnection = async (): Promise<DatabaseConnection> => ({
    executeQuery: async <R>({ sql }: CompiledQuery) => ({
      rows: (/ from "person" .* for update$/.test(sql)
        ? [{ email: sampleEmail(1), lang: 'en', subscribed: 1, topics: '[]' }]
        : []) as Array<R>,
    }),
    streamQuery: async function* () {},
  })
}

/** Makes a database that records its statements and holds one user. */
const tracing = () => {
  const said: Array<string> = []
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new OneUserDriver(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => {
      said.push(query.sql)
    },
  })
  const dialect: SqlDialect = {
    text: 'text',
    integer: 'bigint',
    tableOptions: '',
    keyedOptions: '',
    rowNumber: '',
    identity: 'bigint generated always as identity primary key',
    tableNames: '',
    locksRows: true,
    otherTableSets: undefined,
    tableSetMark: [],
    migrationLock: undefined,
    queueingLock: () => undefined,
    countBehind: () => [],
    primaryKey: () => [],
    listHolds: () => '',
    constraintNames: [],
    signalTable: [],
    positions: { next: '0', settled: undefined, server: 'null', newEpoch: "''" },
    search: NO_INDEX,
  }
  const database: Database = {
    dialect,
    read: (work) => attempt(async () => E.right(await work(db))),
    write: (work) => attempt(() => work(db)),
    erase: (work) => attempt(async () => E.map(() => undefined)(await work(db))),
    readSnapshot: (work) => attempt(async () => E.right(await work(db))),
    streamSnapshot: (work) => work(db),
    version: () => 0,
  }
  return { said, store: makeStore(database) }
}

t.test('rows are locked before they are rewritten', async (t) => {
  const { said, store } = tracing()
  await store.libraryItems.change<never>(sampleId(1), (item) =>
    E.right({ item, storesImages: [], displaysImages: [], linksToImages: [] }),
  )()
  await store.clients.rotate('app' as ClientId, 'hash', O.some(instant(0)))()
  t.equal(said.length, 2)
  for (const text of said) t.match(text, / for update$/)
})

t.test(
  'G4: changes of devices and batches of recipients lock the rows that others must not change',
  async (t) => {
    const { said, store } = tracing()
    const { users, devices, deliveries } = store
    const claim = { notificationId: sampleNotificationId(1), number: 0, fence: 1 }
    await users.prefer(sampleEmail(1), {})()
    await t.rejects(devices.attach(sampleDevice(1))(), /no result/, 'an empty database has no epoch')
    await deliveries.record(claim, [], { now: instant(0), last: true, credentials: {} })()
    const locks = said.flatMap(
      (text) => / from "(\w+)" .* (for [a-z ]+)$/.exec(text)?.slice(1).join(' ') ?? [],
    )
    t.strictSame(locks, [
      'person for update',
      'person for update',
      'epoch for share',
      'delivery for no key update',
    ])
  },
)
