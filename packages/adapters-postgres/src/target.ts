import type pg from 'pg'
import type { PostgresPool } from './host-pool.ts'
import type { SessionConfig } from './session.ts'
import { tlsOf } from './tls.ts'
import type { PostgresPlace } from './url.ts'

/** A server to connect to. */
export interface Target {
  /** Its name in error messages. */
  readonly name: string
  /** Returns how to connect to it. Reads the files of certificates each time, so that renewed ones are used. */
  readonly config: () => Promise<SessionConfig>
}

/** Returns the servers of a place, in their order. */
export const targetsOf = ({
  hosts,
  database,
  user,
  password,
  encryption,
  options,
  connectTimeout,
}: PostgresPlace): ReadonlyArray<Target> =>
  hosts.map(({ host, port }) => ({
    name: `${host}:${port}`,
    config: async () => {
      const place = { host, port, database, user, password, options, connectTimeout }
      if (host.startsWith('/') || encryption === undefined)
        return { ...place, ssl: false, sslnegotiation: 'postgres' }
      const { isDirect, binding } = encryption
      const sslnegotiation = isDirect ? 'direct' : 'postgres'
      return { ...place, ssl: await tlsOf(encryption), sslnegotiation, binding }
    },
  }))

/** The settings that say where the server is and who connects. A pool's other settings, such as time limits, are for its own connections. */
const CONNECTION = [
  'connectionString',
  'host',
  'port',
  'database',
  'user',
  'password',
  'ssl',
  'stream',
] as const satisfies ReadonlyArray<keyof pg.ClientConfig>

/** Returns the server of a pool. */
export const targetOfPool = ({ options }: PostgresPool): Target => {
  const settings: pg.ClientConfig = options
  // Read by name, because a pool makes the password not enumerable.
  const given = CONNECTION.map((name) => [name, settings[name]] as const)
  const config = Object.fromEntries(given.filter(([, value]) => value !== undefined))
  return { name: "the pool's server", config: async () => config }
}
