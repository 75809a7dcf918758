import { readSubscription, type Subscription } from './subscription.ts'

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
