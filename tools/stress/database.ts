import { join } from 'node:path'
import { type Engine, MIGRATIONS, makeMigrator } from '../../packages/adapters-kysely/src/index.ts'
import { systemClock } from '../../packages/adapters-node/src/index.ts'
import { openPostgres, parsePostgresUrl } from '../../packages/adapters-postgres/src/index.ts'
import { openSqlite } from '../../packages/adapters-sqlite/src/index.ts'
import { type Cluster, startCluster } from '../../packages/loopback-postgres/src/index.ts'
import { right } from './either.ts'
import type { Settings } from './server.ts'

/** An engine of the campaign's own, beside those of the processes that it starts. */
export type OwnEngine = Engine & { close(): Promise<void> }

/** A database of a campaign's own: a file in its folder, or in a PostgreSQL server that was started for it. */
export interface Ground {
  /** What tells a process of it. */
  readonly settings: Settings
  /** The server, where there is one. */
  readonly cluster: Cluster | undefined
  /** The engine on it. */
  open(): Promise<OwnEngine>
  /** Ends the server. */
  stop(): Promise<void>
}

/** As a server would run for whoever means it, but that its disk is not waited for: only processes are killed here. */
const SETTINGS = ['full_page_writes=on', 'max_wal_size=1GB', 'shared_buffers=128MB']

const NAME = 'almoner'

const openUrl = (url: string): Promise<OwnEngine> => {
  const place = parsePostgresUrl(url)
  if (place._tag === 'Left') throw new Error(place.left)
  return right(openPostgres({ place: place.right }))
}

/** A database in a server, under an address that may be that of something in between. */
export const groundIn = (cluster: Cluster, url: string): Ground => ({
  settings: { ALMONER_DATABASE: url },
  cluster,
  open: () => openUrl(url),
  stop: cluster.stop,
})

/** Makes an empty database: `postgres`, or `sqlite`. */
export const newGround = async (kind: string, folder: string): Promise<Ground> => {
  if (kind !== 'postgres') {
    const file = join(folder, 'almoner.db')
    return {
      settings: { ALMONER_DATABASE: `sqlite:${file}` },
      cluster: undefined,
      open: () => right(openSqlite({ file })),
      stop: async () => {},
    }
  }
  const cluster = await startCluster(SETTINGS)
  await cluster.createDatabase(NAME)
  return groundIn(cluster, cluster.url(NAME))
}

const migratorOn = (engine: Engine) => makeMigrator(engine, systemClock, MIGRATIONS)

/** Brings the schema up to date. */
export const migrate = async (engine: Engine): Promise<void> => {
  await right(migratorOn(engine).migrate())
}

/** Whether a database has no tables at all. */
export const isBlank = async (engine: Engine): Promise<boolean> =>
  (await right(migratorOn(engine).plan())).isEmpty
