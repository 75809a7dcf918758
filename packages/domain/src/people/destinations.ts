import * as E from 'fp-ts/lib/Either.js'
import { isParsable, parseUrl } from '../values/addresses.ts'
import { type Branded, isStorable, NOT_STORABLE, refined } from '../values/refined.ts'

/** What a provider knows a device by, kept and returned exactly as it was sent (F4, F5). */
export type DeviceToken = Branded<string, 'DeviceToken'>

const MAX = 4096

/** Segments that a path cannot carry: every client and proxy takes them for a step within the path. */
const STEPS = ['.', '..']

const rule = (text: string): E.Either<string, DeviceToken> => {
  if (!isStorable(text)) return E.left(NOT_STORABLE)
  if (STEPS.includes(text)) return E.left('must not be . or ..')
  return [...text].length > MAX ? E.left(`must have at most ${MAX} characters`) : E.right(text as DeviceToken)
}

/** `device_token`: 1 to 4096 code points, any that a path can carry (F4). */
export const DeviceToken = refined('DeviceToken', rule, {
  type: 'string',
  description:
    'Device token from the provider: FCM, APNs, or a Web Push subscription as JSON. A prefix such as `apns-sandbox:` can name its kind.',
  minLength: 1,
  maxLength: MAX,
  example: 'fcm:eX4mpl3',
})

/** A Web Push subscription as browsers give it (RFC 8030, RFC 8291). */
export interface Subscription {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON at all: no subscription.
    return undefined
  }
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined

/** The subscription in a text: JSON with an https `endpoint` and both keys; undefined for anything else (F5). */
export const readSubscription = (text: string): Subscription | undefined => {
  const value = parse(text)
  const keys = field(value, 'keys')
  const [endpoint, p256dh, auth] = [field(value, 'endpoint'), field(keys, 'p256dh'), field(keys, 'auth')]
  if (typeof endpoint !== 'string' || typeof p256dh !== 'string' || typeof auth !== 'string') return undefined
  return isParsable(endpoint) && parseUrl(endpoint).protocol === 'https:'
    ? { endpoint, keys: { p256dh, auth } }
    : undefined
}

/**
 * What a provider needs to reach a device, by the name of the provider (F5). A host adds a kind of device by declaration merging, and gives its
 * codec to the policy ({@link DeviceCodec}).
 * @example
 * declare module '@almoner/domain' {
 *   interface Destinations {
 *     expo: { readonly token: string }
 *   }
 * }
 */
export interface Destinations {
  readonly fcm: { readonly form: 'token' | 'fid'; readonly token: string }
  readonly apns: { readonly sandbox: boolean; readonly token: string }
  readonly webpush: { readonly subscription: Subscription }
}

/** Who carries a push to a device: one of {@link PROVIDERS}, or one that a host adds to {@link Destinations}. */
export type Provider = keyof Destinations

/** A device token as its provider knows it. */
export type DestinationOf<P extends Provider> = P extends Provider
  ? { readonly provider: P } & Destinations[P]
  : never

/** The provider that a device token is for, and the token as that provider knows it (F5). */
export type Destination = DestinationOf<Provider>

/** The providers that the service knows without a codec. */
export const PROVIDERS = ['fcm', 'apns', 'webpush'] as const satisfies ReadonlyArray<Provider>

/** What a device is recorded as; nothing can be sent to an unroutable one. */
export type DeviceKind = Provider | 'unroutable'

/** Recognises the tokens of a further kind of device. `deviceCodecContract` checks one. */
export interface DeviceCodec<P extends Provider = Provider> {
  /** The name of the provider, as the store has it: lower-case letters, digits and hyphens, at most 32 of them. */
  readonly provider: P
  /** Returns where to send for a token, or undefined if the token is of another kind. */
  readonly recognise: (token: string) => DestinationOf<P> | undefined
}

const PROVIDER_NAME = /^[a-z][a-z0-9-]{0,31}$/

/** Returns whether a text can name a provider, of this deployment or of another one. */
export const isProviderName = (text: string): boolean => PROVIDER_NAME.test(text) && text !== 'unroutable'

/** Returns each provider once: those of {@link PROVIDERS} first and in their order, then others by name. */
export const inProviderOrder = (providers: Iterable<Provider>): ReadonlyArray<Provider> => {
  const all = new Set(providers)
  const known: ReadonlyArray<Provider> = PROVIDERS
  return [...known.filter((one) => all.has(one)), ...[...all].filter((one) => !known.includes(one)).sort()]
}

/** Returns all providers of a deployment with these codecs. */
export const providersWith = (codecs: ReadonlyArray<DeviceCodec> = []): ReadonlyArray<Provider> =>
  inProviderOrder([...PROVIDERS, ...codecs.map(({ provider }) => provider)])

/** The provider that tokens of no known form are taken for, where a deployment names one. */
export type DefaultProvider = 'fcm' | 'apns'

const fcm = (form: 'token' | 'fid', token: string): Destination => ({ provider: 'fcm', form, token })

const apns = (token: string, sandbox: boolean): Destination => ({ provider: 'apns', sandbox, token })

const webpush = (token: string): Destination | undefined => {
  const subscription = readSubscription(token)
  return subscription === undefined ? undefined : { provider: 'webpush', subscription }
}

/** A prefix says it outright. */
const BY_PREFIX: Readonly<Record<string, (rest: string) => Destination | undefined>> = {
  'fcm:': (rest) => fcm('token', rest),
  'fid:': (rest) => fcm('fid', rest),
  'apns:': (rest) => apns(rest, false),
  'apns-sandbox:': (rest) => apns(rest, true),
  'webpush:': webpush,
}

/** An even number of hex digits, 64 to 200: an APNs device token. */
const APNS = /^(?:[0-9a-f]{2}){32,100}$/i
/** 22 URL-safe characters of which the first carries the version bits: a Firebase installation id. */
const FID = /^[cdef][\w-]{21}$/
/** A registration token of Firebase Cloud Messaging, with or without the installation id before it. */
const FCM = /(?:^|:)APA91b/

const byForm = (token: string): Destination | undefined => {
  if (token.trimStart().startsWith('{')) return webpush(token)
  if (APNS.test(token)) return apns(token, false)
  if (FID.test(token)) return fcm('fid', token)
  return FCM.test(token) ? fcm('token', token) : undefined
}

const byCodec = (token: string, codecs: ReadonlyArray<DeviceCodec>): Destination | undefined => {
  for (const codec of codecs) {
    const destination = codec.recognise(token)
    if (destination !== undefined) return destination
  }
  return undefined
}

/**
 * Returns the provider of a device token: by its prefix, else by its form, else by a codec of the deployment, else the deployment's default (F5).
 * @returns undefined if none matches: such a device is recorded as unroutable, never guessed
 */
export const recognise = (
  token: string,
  otherwise?: DefaultProvider,
  codecs: ReadonlyArray<DeviceCodec> = [],
): Destination | undefined => {
  const prefix = Object.keys(BY_PREFIX).find((candidate) => token.startsWith(candidate))
  if (prefix !== undefined) {
    const rest = token.slice(prefix.length)
    return rest === '' ? undefined : BY_PREFIX[prefix]?.(rest)
  }
  const known = byForm(token) ?? byCodec(token, codecs)
  if (known !== undefined || otherwise === undefined) return known
  return otherwise === 'fcm' ? fcm('token', token) : apns(token, false)
}

/** Where to send for a device that was recorded as this kind when it was attached. */
export const destinationOf = (
  token: string,
  kind: DeviceKind,
  codecs: ReadonlyArray<DeviceCodec> = [],
): Destination | undefined => {
  const destination = recognise(token, kind === 'fcm' || kind === 'apns' ? kind : undefined, codecs)
  return destination?.provider === kind ? destination : undefined
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Base64 of either alphabet, with or without padding. */
const BASE64 = /^[\w+/-]+={0,2}$/

/** Returns the bytes of a Base64 text; none if it is no such text. */
const bytesOf = (text: string): ReadonlyArray<number> => {
  if (!BASE64.test(text)) return []
  const digits = [...text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')]
  const bits = digits.map((digit) => ALPHABET.indexOf(digit).toString(2).padStart(6, '0')).join('')
  return Array.from({ length: Math.floor(bits.length / 8) }, (_, n) =>
    Number.parseInt(bits.slice(8 * n, 8 * n + 8), 2),
  )
}

const numberOf = (bytes: ReadonlyArray<number>): bigint =>
  bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)

/** The curve P-256, y² = x³ - 3x + B modulo P (https://nvlpubs.nist.gov/nistpubs/SpecialPublications/NIST.SP.800-186.pdf, 3.2.1.3). */
const P = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn

/** Whether bytes are an uncompressed point of the curve. */
const isPoint = (bytes: ReadonlyArray<number>): boolean => {
  const [x, y] = [numberOf(bytes.slice(1, 33)), numberOf(bytes.slice(33))]
  if (bytes.length !== 65 || bytes[0] !== 4 || x >= P || y >= P) return false
  return (y * y - (x * x * x - 3n * x + B)) % P === 0n
}

/** The bytes of the authentication secret (RFC 8291, 3.2). */
const SECRET = 16

/** Returns which keys of a subscription nothing can be encrypted with (RFC 8291): a `p256dh` that is no point of P-256, a short `auth`. */
export const unusableKeys = ({ p256dh, auth }: Subscription['keys']): ReadonlyArray<'p256dh' | 'auth'> => [
  ...(isPoint(bytesOf(p256dh)) ? [] : (['p256dh'] as const)),
  ...(bytesOf(auth).length >= SECRET ? [] : (['auth'] as const)),
]

/** An entry of the allow-list: `host` or `*.host` (any host below it), each with an optional `:port` (443 when left out). */
export type PushHost = string

/** The hosts of the browsers' push services: Chrome and its kin, Chromium of Linux distributions, Firefox, Edge on Windows, Safari. */
export const BROWSER_PUSH_HOSTS: ReadonlyArray<PushHost> = [
  'fcm.googleapis.com',
  'jmt17.google.com',
  '*.push.services.mozilla.com',
  '*.notify.windows.com',
  '*.push.apple.com',
]

const FORM =
  /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|\[[0-9a-f:.]+\])(?::\d{1,5})?$/

const HTTPS = '443'

const split = (entry: PushHost): readonly [host: string, port: string] => {
  const [, host = '', port = HTTPS] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
  return [host, port]
}

const isPort = (port: string): boolean => Number(port) >= 1 && Number(port) <= 65_535

/** Whether a text, in lower case, can stand in the allow-list. */
export const isPushHost = (text: string): text is PushHost => FORM.test(text) && isPort(split(text)[1])

/** Whether the host of a Web Push endpoint is on the allow-list (F5), so that callers cannot choose where the service sends. */
export const mayPushTo = (allowed: ReadonlyArray<PushHost>): ((endpoint: string) => boolean) => {
  const entries = allowed.map(split)
  return (endpoint) => {
    const { hostname, port, username, password } = parseUrl(endpoint)
    if (username !== '' || password !== '') return false
    return entries.some(([host, itsPort]) => {
      const isHost = host.startsWith('*.') ? hostname.endsWith(host.slice(1)) : hostname === host
      return isHost && (port === '' ? HTTPS : port) === itsPort
    })
  }
}

/** Domains that no mail and no page of the internet is under (RFC 2606, RFC 6761, RFC 6762). */
const RESERVED = /(?:^|\.)(?:local|localhost|invalid|test|example)$/i

/** Returns the host of a contact for push services, a `mailto:` or `https:` URL, if it is under a reserved domain: Apple refuses such pushes. */
export const reservedContactHost = (subject: string): string | undefined => {
  const host = subject.startsWith('mailto:')
    ? subject.slice(subject.lastIndexOf('@') + 1).split('?', 1)[0]
    : isParsable(subject)
      ? parseUrl(subject).hostname
      : undefined
  return host !== undefined && RESERVED.test(host) ? host : undefined
}
