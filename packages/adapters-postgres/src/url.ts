/**
 * Reading a database's URL without loading the driver.
 * @module @almoner/adapters-postgres/url
 */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'

/** Where one server listens. */
export interface Host {
  /** A name, an address, or the path of a folder with a Unix socket. */
  readonly host: string
  readonly port: number
}

/** How sessions are encrypted; `verify` says what of the server's certificate is checked. Paths are of PEM files. */
export interface Encryption {
  readonly verify: 'nothing' | 'chain' | 'name'
  readonly rootCertificate: string | undefined
  readonly certificate: string | undefined
  readonly key: string | undefined
}

/** A database on one server, or on several of which one accepts writes. Undefined values come from libpq's variables. */
export interface PostgresPlace {
  readonly hosts: readonly [Host, ...Array<Host>]
  readonly database: string
  readonly user: string | undefined
  /** A function, so that nothing that prints a place prints it. */
  readonly password: (() => string) | undefined
  readonly encryption: Encryption | undefined
}

const PORT = 5432
const FORM = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^@/?#]*)\/([^/?#]+)(?:\?([^#]*))?$/i
const HOST = /^(\[[^\]]+\]|[^:[\]]+)(?::(\d{1,5}))?$/
const RULE =
  'must be of the form postgres://USER:PASSWORD@HOST:PORT/DATABASE, with commas between several HOST:PORT'

const MODES: Readonly<Record<string, Encryption['verify'] | undefined>> = {
  require: 'nothing',
  'verify-ca': 'chain',
  'verify-full': 'name',
}
const FILES = ['sslrootcert', 'sslcert', 'sslkey']
const PARAMETERS = ['sslmode', 'target_session_attrs', ...FILES]

const hostOf = (text: string): Host | undefined => {
  const [, host = '', port] = HOST.exec(text) ?? []
  const number = port === undefined ? PORT : Number(port)
  const name = decodeURIComponent(host).replace(/^\[|\]$/g, '')
  return name === '' || number < 1 || number > 65_535 ? undefined : { host: name, port: number }
}

const hostsOf = (text: string): E.Either<string, PostgresPlace['hosts']> => {
  const [first, ...others] = text.split(',').map(hostOf)
  const rest = others.filter((host) => host !== undefined)
  return first === undefined || rest.length < others.length ? E.left(RULE) : E.right([first, ...rest])
}

const encryptionOf = (query: URLSearchParams): E.Either<string, Encryption | undefined> => {
  const mode = query.get('sslmode') ?? 'disable'
  if (mode === 'disable') return E.right(undefined)
  const asked = MODES[mode]
  // `allow` and `prefer` would go on in the clear without saying so.
  if (asked === undefined)
    return E.left('must be an address whose sslmode is disable, require, verify-ca or verify-full')
  const [rootCertificate, certificate, key] = FILES.map((name) => query.get(name) ?? undefined)
  const verify = asked === 'nothing' && rootCertificate !== undefined ? 'chain' : asked
  return E.right({ verify, rootCertificate, certificate, key })
}

const parametersOf = (text: string | undefined): E.Either<string, URLSearchParams> => {
  const query = new URLSearchParams(text ?? '')
  if ([...query.keys()].some((name) => !PARAMETERS.includes(name)))
    return E.left(`must be an address with no parameters but ${PARAMETERS.join(', ')}`)
  const target = query.get('target_session_attrs') ?? 'read-write'
  return target === 'read-write' || target === 'primary'
    ? E.right(query)
    : E.left('must be an address whose target_session_attrs is read-write or primary')
}

const decoded = (text: string | undefined): string | undefined =>
  text === undefined || text === '' ? undefined : decodeURIComponent(text)

const hidden = (text: string | undefined) => (text === undefined ? undefined : () => text)

const parsed = (text: string): E.Either<string, PostgresPlace> => {
  const [, userInfo = '', hosts = '', database = '', parameters] = FORM.exec(text) ?? []
  const [user, ...password] = userInfo.split(':')
  return pipe(
    E.Do,
    E.bind('hosts', () => hostsOf(hosts)),
    E.bind('query', () => parametersOf(parameters)),
    E.bind('encryption', ({ query }) => encryptionOf(query)),
    E.map((found) => ({
      hosts: found.hosts,
      database: decodeURIComponent(database),
      user: decoded(user),
      password: hidden(decoded(password.join(':'))),
      encryption: found.encryption,
    })),
  )
}

/**
 * Reads a URL such as `postgres://user:password@one:5432,two:5432/almoner?sslmode=verify-full`. A Left completes a sentence that
 * begins with the name of what held the URL, and repeats nothing of it: there is a password in it.
 */
export const parsePostgresUrl = (text: string): E.Either<string, PostgresPlace> => {
  try {
    return parsed(text)
  } catch {
    // A percent sign that begins no character.
    return E.left(RULE)
  }
}
