import { readSubscription, type Subscription } from './subscription.ts'

/** The provider that a device token is for, and the token as that provider knows it (F5). */
export type Destination =
  | { readonly provider: 'fcm'; readonly form: 'token' | 'fid'; readonly token: string }
  | { readonly provider: 'apns'; readonly sandbox: boolean; readonly token: string }
  | { readonly provider: 'webpush'; readonly subscription: Subscription }

/** Who carries a push to a device. */
export const PROVIDERS = ['fcm', 'apns', 'webpush'] as const
/** One of {@link PROVIDERS}. */
export type Provider = (typeof PROVIDERS)[number]

/** What a device is recorded as; nothing can be sent to an unroutable one. */
export type DeviceKind = Provider | 'unroutable'

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

/**
 * Returns the provider of a device token: by its prefix, else by its form, else the deployment's default (F5).
 * @returns undefined if none matches: such a device is recorded as unroutable, never guessed
 */
export const recognise = (token: string, otherwise?: DefaultProvider): Destination | undefined => {
  const prefix = Object.keys(BY_PREFIX).find((candidate) => token.startsWith(candidate))
  if (prefix !== undefined) {
    const rest = token.slice(prefix.length)
    return rest === '' ? undefined : BY_PREFIX[prefix]?.(rest)
  }
  const known = byForm(token)
  if (known !== undefined || otherwise === undefined) return known
  return otherwise === 'fcm' ? fcm('token', token) : apns(token, false)
}

/** Where to send for a device that was recorded as this kind when it was attached. */
export const destinationOf = (token: string, kind: DeviceKind): Destination | undefined => {
  const destination = recognise(token, kind === 'fcm' || kind === 'apns' ? kind : undefined)
  return destination?.provider === kind ? destination : undefined
}
