import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { chown, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { findBinaries } from './binaries.ts'
import { type Owner, ownerOfServers } from './owner.ts'
import { type Postmaster, startPostmaster } from './postmaster.ts'

const run = promisify(execFile)

/** The one user there is, who may do everything and has no password: only this machine reaches the socket. */
const USER = 'almoner'

const INITDB = ['-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--wal-segsize=1']

/** A temporary PostgreSQL server. It stops and deletes its files when the process that started it ends. */
export interface Cluster {
  readonly folder: string
  /** The folder that holds the socket. */
  readonly socket: string
  /** The address of a database. */
  url(database: string): string
  /** Runs a statement as the superuser. */
  ask(statement: string, database?: string): Promise<ReadonlyArray<Record<string, unknown>>>
  /** Creates an empty database, or a copy of one without connections. */
  createDatabase(name: string, template?: string): Promise<void>
  /** Ends the server as a crash would, and starts it again. */
  restart(): Promise<void>
  stop(): Promise<void>
  /** Halts every process of the server, as a machine that hangs does. */
  pause(): Promise<void>
  resume(): void
}

/**
 * Makes a folder for a server's data, on disk unless another place is given that can be written: `/dev/shm` of a container may be read-only.
 * It goes when this process ends.
 */
export const makeFolder = async ({ uid, gid }: Owner, place = tmpdir()): Promise<string> => {
  const make = (parent: string) => mkdtemp(join(parent, 'almoner-pg-'))
  const folder = await make(place).catch(() => make(tmpdir()))
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** A server on a data folder that is there. The port is part of its socket's name. */
export const clusterOn = async (
  folder: string,
  owner: Owner,
  settings: ReadonlyArray<string> = [],
  port = 5432,
): Promise<Cluster> => {
  const { postgres } = findBinaries()
  const start = (): Promise<Postmaster> =>
    startPostmaster({ postgres, folder, owner, settings: [`port=${port}`, ...settings] })
  let postmaster = await start()
  let halted: ReadonlyArray<number> = []

  const ask: Cluster['ask'] = async (statement, database = 'postgres') => {
    const client = new pg.Client({ host: folder, port, user: USER, database })
    await client.connect()
    try {
      return (await client.query(statement)).rows
    } finally {
      await client.end()
    }
  }

  /** Sends a signal to processes of the server, of which sessions may have ended meanwhile. */
  const signal = (pids: ReadonlyArray<number>, name: NodeJS.Signals) => {
    for (const pid of pids)
      try {
        process.kill(pid, name)
      } catch (cause) {
        if (!(cause instanceof Error && 'code' in cause && cause.code === 'ESRCH')) throw cause
      }
  }

  const resume = () => {
    signal(halted, 'SIGCONT')
    halted = []
  }

  return {
    folder,
    socket: folder,
    url: (database) => `postgres://${USER}@${encodeURIComponent(folder)}:${port}/${database}`,
    ask,
    createDatabase: async (name, template = 'template0') => {
      await ask(`create database "${name}" template "${template}"`)
    },
    restart: async () => {
      await postmaster.stop()
      postmaster = await start()
    },
    stop: async () => {
      resume()
      await postmaster.stop()
    },
    pause: async () => {
      const rows = await ask('select pid from pg_stat_activity where pid <> pg_backend_pid()')
      halted = [postmaster.pid, ...rows.map(({ pid }) => Number(pid))]
      signal(halted, 'SIGSTOP')
    },
    resume,
  }
}

/** Where files of servers are kept as they were made. */
const KEPT = join(import.meta.dirname, '../node_modules/.cache')

/** Copies the content of a folder, regardless of its owner. */
const copyInto = (folder: string, from: string) => run('cp', ['-a', `${from}/.`, folder])

/** Stores a copy of the new files, unless another process has stored one meanwhile, or the checkout cannot be written. */
const keep = async (folder: string, kept: string): Promise<void> => {
  const copy = `${kept}.${randomUUID()}`
  try {
    await mkdir(copy, { recursive: true })
    await copyInto(copy, folder)
    await rename(copy, kept)
  } catch {
    await rm(copy, { recursive: true, force: true })
  }
}

/** Creates the files of a server by copying the first ones, which takes a tenth of the time. */
export const makeServer = async (
  place?: string,
): Promise<{ readonly folder: string; readonly owner: Owner }> => {
  const owner = ownerOfServers()
  const folder = await makeFolder(owner, place)
  const { initdb } = findBinaries()
  const name = createHash('sha256')
    .update(JSON.stringify([initdb, INITDB, owner]))
    .digest('hex')
  const kept = join(KEPT, name.slice(0, 16))
  if (existsSync(kept)) await copyInto(folder, kept)
  else {
    await run(initdb, ['-D', folder, ...INITDB], { ...owner, cwd: folder })
    await keep(folder, kept)
  }
  return { folder, owner }
}

/** Creates and starts a server, with additional settings as `name=value`; on disk by default. */
export const startCluster = async (
  settings: ReadonlyArray<string> = [],
  place?: string,
): Promise<Cluster> => {
  const { folder, owner } = await makeServer(place)
  return clusterOn(folder, owner, settings)
}
