import * as E from 'fp-ts/lib/Either.js'
import type { Parameters } from './url-parameters.ts'

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
export const variableFault = (variables: Variables): string | undefined => {
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
export const encryptionOf = (
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
