/**
 * Reading a database's URL without loading the driver.
 * @module @almoner/adapters-postgres/url
 */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'

/** The parameters of a URL, by name. */
type Parameters = Readonly<Record<string, string | undefined>>

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
  prepared: [/^(?:true|false)$/, 'true or false'],
}

const OF_TLS = 'write sslmode=verify-full, or sslmode=require to verify nothing'
const OF_SCHEMA = 'set the schema for the role, as by ALTER ROLE … SET search_path TO …'
const OF_POOL = 'set ALMONER_DATABASE_POOL'
const OF_POOLER = 'leave it out, and let a pooler keep sessions or set ALMONER_DATABASE_LISTEN'

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
const parametersIn = (query: string): E.Either<string, Parameters> => {
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

/** How sessions are encrypted; `verify` says what of the server's certificate is checked. Paths are of PEM files. */
export interface Encryption {
  readonly verify: 'nothing' | 'chain' | 'name'
  /** `system`: the authorities that the operating system trusts. */
  readonly rootCertificate: string | undefined
  readonly certificate: string | undefined
  readonly key: string | undefined
  /** Whether TLS begins at once, without a question. */
  readonly isDirect: boolean
  /** Whether the password is bound to the server's certificate: if both can, or else nothing is sent. */
  readonly binding: 'none' | 'preferred' | 'required'
}

/** Variables of a process. */
export type Variables = Readonly<Record<string, string | undefined>>

const MODES: Readonly<Record<string, Encryption['verify'] | undefined>> = {
  require: 'nothing',
  'verify-ca': 'chain',
  'verify-full': 'name',
}

const BINDINGS: Readonly<Record<string, Encryption['binding'] | undefined>> = {
  prefer: 'preferred',
  require: 'required',
}

const NAMED = 'disable, require, verify-ca or verify-full'

/** `allow` and `prefer` go on in the clear where a server, or someone before it, has no encryption. */
const WEAK: ReadonlySet<string> = new Set(['allow', 'prefer'])

/** What a URL asks for, or libpq's variables where it says nothing. */
const askedIn = (parameters: Parameters, variables: Variables) => {
  const variableOf = (name: string) => `PG${name.replaceAll('_', '').toUpperCase()}`
  const said = (name: string) => parameters[name] ?? (variables[variableOf(name)] || undefined)
  const rootCertificate = said('sslrootcert')
  const required = variables['PGREQUIRESSL']?.startsWith('1') ? 'require' : undefined
  return {
    mode: said('sslmode') ?? required ?? (rootCertificate === 'system' ? 'verify-full' : undefined),
    rootCertificate,
    certificate: said('sslcert'),
    key: said('sslkey'),
    isDirect: said('sslnegotiation') === 'direct',
    binding: BINDINGS[said('channel_binding') ?? ''] ?? 'none',
    /** The name under which a value was given. */
    nameOf: (name: string) => (parameters[name] === undefined ? variableOf(name) : name),
  }
}

type Asked = ReturnType<typeof askedIn>

const modeFault = ({ mode = 'disable', nameOf }: Asked): string | undefined => {
  if (mode === 'disable' || MODES[mode] !== undefined) return undefined
  const why = WEAK.has(mode) ? `; ${mode} would go on in the clear without saying so` : ''
  return `must be an address whose ${nameOf('sslmode')} is ${NAMED}${why}`
}

/** libpq's variables that ask for a protection which is not built, and what values of them ask for none. */
const NOT_BUILT: Readonly<Record<string, RegExp>> = {
  PGREQUIREAUTH: /^$/,
  PGREQUIREPEER: /^$/,
  PGSSLCRL: /^$/,
  PGSSLCRLDIR: /^$/,
  PGGSSENCMODE: /^(?:disable|prefer)?$/,
  PGSSLMINPROTOCOLVERSION: /^(?:TLSv1(?:\.[12])?)?$/i,
}

/** Returns why a database cannot be reached as libpq's variables ask, to complete a sentence; undefined if it can. */
const variableFault = (variables: Variables): string | undefined => {
  const found = Object.entries(NOT_BUILT).find(([name, harmless]) => !harmless.test(variables[name] ?? ''))
  return found && `must be an address that is reached without ${found[0]}: unset it`
}

/** No setting that asks for protection is passed over. */
const demandFault = (asked: Asked): string | undefined => {
  const { mode, rootCertificate, certificate, key, isDirect, binding, nameOf } = asked
  const files = { sslrootcert: rootCertificate, sslcert: certificate, sslkey: key }
  const [file] = Object.entries(files).filter(([, path]) => path !== undefined)
  const forShell = Object.entries(files).find(([, path]) => /^~|\$/.test(path ?? ''))
  if (forShell !== undefined)
    return `must be an address whose ${nameOf(forShell[0])} is a whole path: only a shell replaces ~ and $HOME`
  if (mode === undefined && file !== undefined)
    return `must be an address with sslmode=verify-full, because ${nameOf(file[0])} is given`
  if (rootCertificate === 'system' && mode !== 'verify-full')
    return 'must be an address whose sslmode is verify-full, because sslrootcert is system'
  const isClear = mode === undefined || mode === 'disable'
  return isClear && (isDirect || binding === 'required')
    ? 'must be an address whose sslmode is not disable: sslnegotiation or channel_binding ask for encryption'
    : undefined
}

/**
 * Returns the encryption that a URL asks for, or libpq's variables where it says nothing; undefined for none. A Left completes a sentence.
 */
const encryptionOf = (
  parameters: Parameters,
  variables: Variables,
): E.Either<string, Encryption | undefined> => {
  const asked = askedIn(parameters, variables)
  const fault = modeFault(asked) ?? demandFault(asked)
  if (fault !== undefined) return E.left(fault)
  const { mode = 'disable', rootCertificate, certificate, key, isDirect, binding } = asked
  const wanted = MODES[mode]
  if (wanted === undefined) return E.right(undefined)
  const verify = wanted === 'nothing' && rootCertificate !== undefined ? 'chain' : wanted
  return E.right({ verify, rootCertificate, certificate, key, isDirect, binding })
}

/** Where one server listens. */
export interface Host {
  /** A name, an address, or the path of a folder with a Unix socket. */
  readonly host: string
  readonly port: number
}

/** A database on one server, or on several of which one accepts writes. Undefined values come from libpq's variables. */
export interface PostgresPlace {
  readonly hosts: readonly [Host, ...Array<Host>]
  readonly database: string
  readonly user: string | undefined
  /** A function, so that nothing that prints a place prints it. */
  readonly password: (() => string) | undefined
  /** That of a network; a socket needs none. */
  readonly encryption: Encryption | undefined
  /** Options of the server's command line for each session. */
  readonly options: string | undefined
  /** Milliseconds for reaching one server. */
  readonly connectTimeout: number | undefined
  /** Whether statements have names. By default they have them where sessions last. */
  readonly prepared: boolean | undefined
}

const PORT = 5432
const FORM = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^@/?#]*)(?:\/([^@/?#]*))?(?:\?([^@#]*))?$/i
const HOST = /^(\[[^\]\s]+\]|[^:[\]\s;]+)(?::(\d{1,5}))?$/
const RULE =
  'must be of the form postgres://USER:PASSWORD@HOST:PORT/DATABASE, with commas between several HOST:PORT; in user and password write %40 for @, %3A for :, %2F for /, %3F for ?, %23 for # and %25 for %'

const isSocket = ({ host }: Host): boolean => host.startsWith('/')

const checkedHost = (host: string, port: number): Host | undefined =>
  host === '' || port < 1 || port > 65_535 ? undefined : { host, port }

const hostOf = (text: string): Host | undefined => {
  const [, host = '', port = PORT] = HOST.exec(text) ?? []
  return checkedHost(decodeURIComponent(host).replace(/^\[|\]$/g, ''), Number(port))
}

/** Hosts and ports in parameters, as of sockets: one port may be for all hosts. */
const hostsOfParameters = (hosts: string, ports: string = String(PORT)): ReadonlyArray<Host | undefined> => {
  const [first = '', ...more] = ports.split(',')
  return hosts.split(',').map((host, at) => {
    const port = at === 0 || more.length === 0 ? first : (more[at - 1] ?? '')
    return checkedHost(host, /^\d{1,5}$/.test(port) ? Number(port) : 0)
  })
}

const hostsOf = (text: string, { host, port }: Parameters): E.Either<string, PostgresPlace['hosts']> => {
  if (host === undefined && text === '')
    return E.left(
      'must be an address with a host, or with the folder of a socket as ?host=/var/run/postgresql',
    )
  const all = host === undefined ? text.split(',').map(hostOf) : hostsOfParameters(host, port)
  const [first, ...others] = all.filter((one) => one !== undefined)
  return first === undefined || others.length + 1 < all.length ? E.left(RULE) : E.right([first, ...others])
}

const databaseOf = (text: string): E.Either<string, string> =>
  text === '' ? E.left('must be an address with the name of a database behind the host') : E.right(text)

const decoded = (text: string | undefined): string | undefined =>
  text === undefined || text === '' ? undefined : decodeURIComponent(text)

const hidden = (text: string | undefined) => (text === undefined ? undefined : () => text)

const secondsOf = (text: string | undefined) => (text === undefined ? undefined : Number(text) * 1000)

const parsed = (text: string, variables: Variables): E.Either<string, PostgresPlace> => {
  const parts = FORM.exec(text)
  if (parts === null) return E.left(RULE)
  const [, userInfo = '', hosts = '', path = '', query = ''] = parts
  const [user, ...password] = userInfo.split(':')
  const fault = variableFault(variables)
  if (fault !== undefined) return E.left(fault)
  return pipe(
    E.Do,
    E.bind('parameters', () => parametersIn(query)),
    E.bind('hosts', ({ parameters }) => hostsOf(hosts, parameters)),
    E.bind('database', ({ parameters }) => databaseOf(parameters['dbname'] ?? decodeURIComponent(path))),
    E.bind('encryption', (found) =>
      found.hosts.every(isSocket) ? E.right(undefined) : encryptionOf(found.parameters, variables),
    ),
    E.map(({ parameters, ...found }) => ({
      ...found,
      user: parameters['user'] ?? decoded(user),
      password: hidden(parameters['password'] ?? decoded(password.join(':'))),
      options: parameters['options'],
      connectTimeout: secondsOf(parameters['connect_timeout']),
      prepared: parameters['prepared'] === undefined ? undefined : parameters['prepared'] === 'true',
    })),
  )
}

/**
 * Reads a URL such as `postgres://user:password@one:5432,two:5432/almoner?sslmode=verify-full`. A Left completes a sentence that
 * begins with the name of what held the URL, and repeats nothing of it but names of parameters: there is a password in it.
 * @param variables libpq's, of which those of TLS count where the URL says nothing; none that asks for protection is passed over
 */
export const parsePostgresUrl = (
  text: string,
  variables: Variables = process.env,
): E.Either<string, PostgresPlace> => {
  try {
    return parsed(text, variables)
  } catch {
    // A percent sign that begins no character.
    return E.left(RULE)
  }
}
