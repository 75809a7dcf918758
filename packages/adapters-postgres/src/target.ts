import { readFile, stat } from 'node:fs/promises'
import { type ConnectionOptions, checkServerIdentity, getCACertificates } from 'node:tls'
import type pg from 'pg'
import { borrowSession, checkDialect } from './borrowed.ts'
import type { HostKysely, PostgresPool } from './limits.ts'
import type { Session, SessionConfig } from './session.ts'
import type { Encryption, PostgresPlace } from './url.ts'

/** Bytes of a file with certificates: a list of all usual authorities has a quarter of it (H4). */
const LARGEST = 1024 * 1024

/** The authorities of `sslrootcert=system`: those of the operating system and of Node. */
const ofSystem = () => [...getCACertificates('system'), ...getCACertificates('bundled')]

const pem = async (path: string | undefined): Promise<string | undefined> => {
  if (path === undefined) return undefined
  const { size } = await stat(path)
  if (size > LARGEST) throw new Error(`${path} has more than 1 MiB: name a file of certificates in PEM`)
  return readFile(path, 'utf8')
}

/** TLS options as in libpq. Reads the files for each connection, so that renewed certificates are used. Throws if a file cannot be read. */
const tlsOf = async ({
  verify,
  rootCertificate,
  certificate,
  key,
}: Encryption): Promise<ConnectionOptions> => {
  const authorities = rootCertificate === 'system' ? ofSystem() : pem(rootCertificate)
  const [ca, cert, privateKey] = await Promise.all([authorities, pem(certificate), pem(key)])
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(privateKey === undefined ? {} : { key: privateKey }),
    rejectUnauthorized: verify !== 'nothing',
    checkServerIdentity: verify === 'name' ? checkServerIdentity : () => undefined,
  }
}

/** A server to connect to. */
export interface Target {
  /** Its name in error messages. */
  readonly name: string
  /** Opens a session of a host, in place of one by {@link config}. */
  readonly borrow?: (types: pg.CustomTypesConfig) => Promise<Session>
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
  prepared,
}: PostgresPlace): ReadonlyArray<Target> =>
  hosts.map(({ host, port }) => ({
    name: `${host}:${port}`,
    config: async () => {
      const names = prepared === undefined ? {} : { prepared }
      const place = { host, port, database, user, password, options, connectTimeout, ...names }
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

/** Returns the server of a host's Kysely instance, whose own connections are used. @throws DatabaseRefused unless it is of PostgreSQL */
export const targetOfKysely = (kysely: HostKysely): Target => {
  checkDialect(kysely)
  return {
    name: "the server of the host's Kysely",
    borrow: (types) => borrowSession(kysely, types),
    config: async () => ({}),
  }
}
