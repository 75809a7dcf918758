/**
 * Reading a database's URL without loading the driver.
 * @module @almoner/adapters-postgres/url
 */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type Encryption, encryptionOf, type Variables, variableFault } from './encryption.ts'
import { type Parameters, parametersIn } from './url-parameters.ts'

export type { Encryption, Variables }

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
