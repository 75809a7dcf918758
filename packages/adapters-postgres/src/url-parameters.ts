import * as E from 'fp-ts/lib/Either.js'

/** The parameters of a URL, by name. */
export type Parameters = Readonly<Record<string, string | undefined>>

/** Any value of these is taken. */
const FREE: ReadonlySet<string> = new Set([
  ...['user', 'password', 'host', 'port', 'dbname', 'options'],
  ...['sslmode', 'sslrootcert', 'sslcert', 'sslkey'],
])

/** The values of others that are taken, and how a message names them. Some ask for nothing new. */
const TAKEN: Readonly<Record<string, readonly [RegExp, string]>> = {
  target_session_attrs: [/^(?:read-write|primary)$/, 'read-write or primary'],
  connect_timeout: [/^(?:[1-9]|[1-5]\d|60)$/, 'a number of seconds from 1 to 60'],
  channel_binding: [/^(?:disable|prefer|require)$/, 'disable, prefer or require'],
  sslnegotiation: [/^(?:postgres|direct)$/, 'postgres or direct'],
  gssencmode: [/^(?:disable|prefer)$/, 'disable or prefer'],
  client_encoding: [/^(?:utf-?8|auto)$/i, 'UTF8'],
  load_balance_hosts: [/^disable$/, 'disable'],
  sslcompression: [/^0$/, '0'],
  sslsni: [/^1$/, '1'],
  ssl_min_protocol_version: [/^TLSv1(?:\.[12])?$/i, 'TLSv1.2'],
  keepalives: [/^1$/, '1'],
}

const OF_TLS = 'write sslmode=verify-full, or sslmode=require to verify nothing'
const OF_SCHEMA = 'set the schema for the role, as by ALTER ROLE … SET search_path TO …'
const OF_POOL = 'set ALMONER_DATABASE_POOL'
const OF_POOLER = 'leave it out, and let a pooler keep sessions'

/** What to write instead of parameters that other drivers and hosts have. */
const INSTEAD: Readonly<Record<string, string>> = {
  require_auth: 'write sslmode=verify-full, so that the password reaches no other server',
  sslpassword: 'name a key without a password in sslkey',
  schema: OF_SCHEMA,
  currentSchema: OF_SCHEMA,
  search_path: OF_SCHEMA,
  connection_limit: OF_POOL,
  pool_size: OF_POOL,
  pool_timeout: OF_POOL,
  max: OF_POOL,
  pgbouncer: OF_POOLER,
  prepareThreshold: OF_POOLER,
  statement_cache_size: OF_POOLER,
  passfile: 'set PGPASSFILE',
  application_name: 'leave it out, sessions are called almoner',
}

/** Matches names that ask for encryption in other programs, and `sslmode` in other letters: to leave one out would end it. */
const FOR_TLS = /^(?:use|require|enable)?_?(?:ssl|tls)_?(?:mode|accept|enabled|required)?$/i

const insteadOf = (name: string): string => INSTEAD[name] ?? (FOR_TLS.test(name) ? OF_TLS : 'leave it out')

/** A name that a message may repeat: a password that is not encoded can stand in its place. */
const NAME = /^[a-zA-Z_]{2,30}$/

const faultOf = (name: string, value: string, isSafe: boolean): string | undefined => {
  if (FREE.has(name)) return undefined
  const [values, inWords] = TAKEN[name] ?? []
  if (values?.test(value)) return undefined
  if (inWords !== undefined) return `must be an address whose ${name} is ${inWords}`
  if (!isSafe || !NAME.test(name)) return 'must be an address without a parameter that is not taken'
  return `must be an address without the parameter ${name}: ${insteadOf(name)}`
}

/** Returns whether parameters have an `sslmode` that encrypts, beside which `ssl=true` asks for nothing new. */
const asksForMore = (pairs: ReadonlyArray<readonly [name: string, value: string]>): boolean =>
  pairs.some(([name, value]) => name === 'sslmode' && /^(?:require|verify-ca|verify-full)$/.test(value))

/**
 * Reads the query of a database's URL, in which a plus sign is one. Empty values count as not given. A Left completes a sentence about the first
 * parameter that is not taken, with what to write instead.
 */
export const parametersIn = (query: string): E.Either<string, Parameters> => {
  const pairs = query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => /^([^=]*)=?(.*)$/s.exec(pair)?.slice(1).map(decodeURIComponent) ?? [])
    .map(([name = '', value = '']) => [name, value] as const)
    .filter(([name, value], _, all) => !(name === 'ssl' && value === 'true' && asksForMore(all)))
  const names = pairs.map(([name]) => name)
  const isSafe = !names.includes('password')
  const [fault] = pairs.flatMap(([name, value]) => faultOf(name, value, isSafe) ?? [])
  if (fault !== undefined) return E.left(fault)
  const twice = names.find((name, at) => names.indexOf(name) < at)
  return twice === undefined
    ? E.right(Object.fromEntries(pairs.filter(([, value]) => value !== '')))
    : E.left(`must be an address with one ${twice}`)
}
