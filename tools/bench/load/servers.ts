import { join } from 'node:path'
import { startServer } from '../../stress/server.ts'
import type { BareOptions } from '../baseline/bare.ts'
import type { GrantsOptions } from '../baseline/grants.ts'
import type { SqlOptions } from '../baseline/sql.ts'
import type { UploadsOptions } from '../baseline/uploads.ts'
import { processesOf } from './machine.ts'
import { startHelper } from './processes.ts'

/** A server under way. */
export interface Server {
  readonly url: string
  readonly pids: ReadonlyArray<number>
  stop(): Promise<void>
}

/** One worker. The log holds warnings alone, as the counterparts have none; reviews begin only where they are measured. */
export const SETTINGS = { ALMONER_LOG_LEVEL: 'warn', ALMONER_REVIEW: 'off' }
/** Every answer is made anew. */
export const NO_CACHE = { ALMONER_CACHE: '0' }
/** No two writes share a commit. */
export const ALONE = { NODE_OPTIONS: `--import=${join(import.meta.dirname, '../baseline/alone.ts')}` }

/** Starts the service on a folder. */
export const startService = async (
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Server> => {
  const { url, process: child, ended } = await startServer(folder, { ...SETTINGS, ...settings })
  return {
    url,
    pids: processesOf(child.pid ?? 0),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

const startBaseline = async (file: string, options: object): Promise<Server> => {
  const { pid, ask, stop } = startHelper(join('baseline', file))
  return { url: (await ask(options)) as string, pids: [pid], stop }
}

/** Starts the counterparts. */
export const startBare = (options: BareOptions) => startBaseline('bare.ts', options)
export const startSql = (options: SqlOptions) => startBaseline('sql.ts', options)
export const startGrants = (options: GrantsOptions) => startBaseline('grants.ts', options)
export const startUploads = (options: UploadsOptions) => startBaseline('uploads.ts', options)
