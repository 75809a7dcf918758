import { join } from 'node:path'
import { type Database, MIGRATIONS, makeMigrator } from '../../packages/adapters-kysely/src/index.ts'
import { systemClock } from '../../packages/adapters-node/src/index.ts'
import { openPostgres, parsePostgresUrl } from '../../packages/adapters-postgres/src/index.ts'
import { openSqlite } from '../../packages/adapters-sqlite/src/index.ts'
import { done } from '../../packages/testkit/src/contracts/index.ts'
import { type Cluster, startCluster } from '../../testing/postgres-server/src/index.ts'
import type { Settings } from './server.ts'

/** An engine in this process, beside those of the servers. */
export type OwnEngine = Database & { close(): Promise<void> }

/** A database for servers and for this process: a SQLite file or a database in a PostgreSQL server. */
export interface TestDatabase {
  readonly settings: Settings
  /** The PostgreSQL server, if it is in one. */
  readonly cluster?: Cluster
  readonly open: () => Promise<OwnEngine>
  /** Stops the PostgreSQL server. */
  readonly stop: () => Promise<void>
}

/** The PostgreSQL server's settings are those of a deployment, except that it does not sync: only processes are killed. */
export const startPostgres = (): Promise<Cluster> =>
  startCluster(['full_page_writes=on', 'max_wal_size=1GB', 'shared_buffers=128MB'])

/** Creates an empty database in a PostgreSQL server. */
export const postgresDatabase = async (cluster: Cluster, name = 'almoner'): Promise<TestDatabase> => {
  await cluster.createDatabase(name)
  const url = cluster.url(name)
  const place = parsePostgresUrl(url)
  if (place._tag === 'Left') throw new Error(place.left)
  return {
    settings: { ALMONER_DATABASE: url },
    cluster,
    open: () => done(openPostgres({ place: place.right })),
    stop: cluster.stop,
  }
}

/** Names the SQLite file of a folder, which need not exist. */
export const sqliteDatabase = (folder: string): TestDatabase => {
  const file = join(folder, 'almoner.db')
  return {
    settings: { ALMONER_DATABASE: `sqlite:${file}` },
    open: () => done(openSqlite({ file })),
    stop: async () => {},
  }
}

/** Makes an empty database of a kind: `postgres` or `sqlite`. */
export const newDatabase = async (kind: string, folder: string): Promise<TestDatabase> =>
  kind === 'postgres' ? postgresDatabase(await startPostgres()) : sqliteDatabase(folder)

/** Brings the schema up to date. */
export const migrate = async (engine: Database): Promise<void> => {
  await done(makeMigrator(engine, systemClock, MIGRATIONS).migrate())
}
