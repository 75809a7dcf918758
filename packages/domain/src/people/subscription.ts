import { isParsable, parseUrl } from '../values/addresses.ts'

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
