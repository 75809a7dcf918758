import type { Cluster } from './cluster.ts'
import { startSmallCluster } from './memory.ts'
import { keepInitial } from './wiping.ts'

/** A database of one's own, in which `select initial.wipe()` undoes all that was written. */
export interface FreshDatabase {
  readonly cluster: Cluster
  readonly name: string
  readonly url: string
  /** Makes the current content of a schema, `public` unless given, the state that wiping restores. */
  keep(schema?: string): Promise<void>
  /** Drops the database and closes its connections. */
  drop(): Promise<void>
}

const TEMPLATE = 'prepared'

let shared: Promise<Cluster> | undefined
let prepared: Promise<void> | undefined
let count = 0

/** The one server that the tests of a process share: making it takes longer than most of them. */
export const sharedCluster = (): Promise<Cluster> => (shared ??= startSmallCluster())

const fill = async (cluster: Cluster, prepare: (url: string) => Promise<void>): Promise<void> => {
  await cluster.createDatabase(TEMPLATE)
  await prepare(cluster.url(TEMPLATE))
  await cluster.ask(keepInitial('public'), TEMPLATE)
}

/**
 * Makes a database in the server that this process shares: a copy of the one that `prepare`, the same for all, fills the first
 * time. It is given that one's address and leaves no connection behind.
 */
export const freshDatabase = async (prepare: (url: string) => Promise<void>): Promise<FreshDatabase> => {
  const cluster = await sharedCluster()
  prepared ??= fill(cluster, prepare)
  await prepared
  count += 1
  const name = `test_${count}`
  await cluster.createDatabase(name, TEMPLATE)
  return {
    cluster,
    name,
    url: cluster.url(name),
    keep: async (schema = 'public') => {
      await cluster.ask(keepInitial(schema), name)
    },
    drop: async () => {
      await cluster.ask(`drop database "${name}" with (force)`)
    },
  }
}
