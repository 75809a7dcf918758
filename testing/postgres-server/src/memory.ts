import { statfs } from 'node:fs/promises'
import { type Cluster, startCluster } from './cluster.ts'

/** Where files lie in memory, on systems that have such a place. */
const MEMORY = '/dev/shm'

/** Bytes that must be free there for a few small servers. */
const ROOM = 2 ** 30

/**
 * Returns a folder in memory for a server's files, or undefined if none has enough room. A server has a thousand files, and some file
 * systems take a second to create them after the same number has just been deleted.
 */
export const placeInMemory = async (): Promise<string | undefined> => {
  const found = await statfs(MEMORY).catch(() => undefined)
  return found !== undefined && found.bavail * found.bsize >= ROOM ? MEMORY : undefined
}

/** Makes a server for little data and starts it: in memory, where that is possible. */
export const startSmallCluster = async (): Promise<Cluster> => startCluster([], await placeInMemory())
