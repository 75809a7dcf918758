import { execFile } from 'node:child_process'
import { appendFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { type Cluster, clusterOn, makeFolder } from './cluster.ts'
import { placeInMemory } from './memory.ts'
import { ownerOfServers } from './owner.ts'

const run = promisify(execFile)

/** A second server that follows a first one by streaming replication and takes no writes until it is promoted. */
export interface Standby extends Cluster {
  /** Resolves once it has all that the first one has committed. */
  catchUp(): Promise<void>
  /** Makes it take writes. */
  promote(): Promise<void>
  /** Stops replaying, once that has taken effect. */
  pauseReplay(): Promise<void>
  resumeReplay(): Promise<void>
}

/** How a backup begins and ends, since PostgreSQL 15 and before. */
const NAMES = ["pg_backup_start('standby', true)", 'pg_backup_stop(false)'] as const
const OLD_NAMES = ["pg_start_backup('standby', true, false)", 'pg_stop_backup(false)'] as const

/** Copies a running server's data as a backup does. */
const copyData = async (primary: Cluster, folder: string): Promise<void> => {
  const client = new pg.Client({ host: primary.socket, user: 'almoner', database: 'postgres' })
  await client.connect()
  try {
    const { rows: found } = await client.query(
      "select current_setting('server_version_num')::int < 150000 as old",
    )
    const [start, stop] = found[0]?.old ? OLD_NAMES : NAMES
    await client.query(`select ${start}`)
    await run('cp', ['-a', `${primary.folder}/.`, folder])
    const { rows } = await client.query(`select labelfile from ${stop}`)
    // What belongs to the first one's running.
    for (const name of ['postmaster.pid', '.s.PGSQL.5432', '.s.PGSQL.5432.lock'])
      await rm(join(folder, name), { force: true })
    await writeFile(join(folder, 'backup_label'), String(rows[0]?.labelfile))
  } finally {
    await client.end()
  }
}

/** Starts a standby of a server. */
export const startStandby = async (primary: Cluster): Promise<Standby> => {
  const owner = ownerOfServers()
  const folder = await makeFolder(owner, await placeInMemory())
  // A standby that is slow to come back would miss what the server no longer keeps, and never catch up.
  await primary.ask("alter system set wal_keep_size = '256MB'")
  await primary.ask('select pg_reload_conf()')
  await copyData(primary, folder)
  await writeFile(join(folder, 'standby.signal'), '')
  await appendFile(
    join(folder, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${primary.socket} user=almoner'\n`,
  )
  if (owner.uid !== undefined) await run('chown', ['-R', `${owner.uid}:${owner.gid}`, folder])
  const cluster = await clusterOn(folder, owner)
  return {
    ...cluster,
    catchUp: async () => {
      const [row] = await primary.ask('select pg_current_wal_flush_lsn() as lsn')
      const behind = `select pg_last_wal_replay_lsn() < '${row?.['lsn']}' as behind`
      while ((await cluster.ask(behind))[0]?.['behind'] !== false);
    },
    promote: async () => {
      await cluster.ask('select pg_promote()')
    },
    pauseReplay: async () => {
      await cluster.ask('select pg_wal_replay_pause()')
      const isPaused = "select pg_get_wal_replay_pause_state() = 'paused' as paused"
      while ((await cluster.ask(isPaused))[0]?.['paused'] !== true);
    },
    resumeReplay: async () => {
      await cluster.ask('select pg_wal_replay_resume()')
    },
  }
}
