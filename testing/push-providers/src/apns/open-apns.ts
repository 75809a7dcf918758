import { randomUUID } from 'node:crypto'
import type { ApnsKey } from '../credentials/apns-key.ts'
import { reply, type ScriptedResponse } from '../server/answer.ts'
import { type Counting, type Endpoint, makeEndpoint, type Read } from '../server/endpoint.ts'
import { parseJson } from '../server/json.ts'
import { type Listening, type Loopback, listen, type Raw } from '../server/listen.ts'
import { refuseNotification } from './header-rules.ts'
import { providerTokens, type TokenUpdates } from './provider-tokens.ts'
import { apnsError } from './reasons.ts'

/** A request to send a notification. */
export interface ApnsRequest extends Read {
  /** The payload as JSON; undefined when it is none. */
  readonly body: unknown
}

/** One of Apple's two servers. */
export interface Apns extends Loopback, Endpoint<ApnsRequest> {}

/** How to open {@link Apns}. */
export interface ApnsOptions extends Listening {
  /** The key that provider tokens are signed by; production and sandbox may share it. */
  readonly key: ApnsKey
  /** The only topic that the key may push to. */
  readonly topic: string
  /** The development server says a little more than the one for production. */
  readonly environment?: 'production' | 'sandbox'
  readonly tokenUpdates?: TokenUpdates
  /** "Don't assume a specific number of streams" (sending-notification-requests-to-apns). */
  readonly concurrentStreams?: number
  readonly counting?: Counting
  /** Milliseconds since the epoch; the machine's clock when left out. */
  readonly now?: () => number
}

/** `:path` is `/3/device/<device_token>`, `:method` POST (sending-notification-requests-to-apns). */
const DEVICE = /^\/3\/device\/([^/]*)$/
const STREAMS = 1000

/**
 * APNs on loopback, over HTTP/2 alone
 * (https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns): the check of the provider token,
 * then of headers and payload, then what the script says.
 */
export const openApns = async (options: ApnsOptions): Promise<Apns> => {
  const { key, topic, tokenUpdates = 'connection', counting, now = Date.now } = options
  const { serveBy, ...server } = await listen(options, {
    http1: false,
    streams: options.concurrentStreams ?? STREAMS,
  })
  const refuseToken = providerTokens(key, tokenUpdates, () => now() / 1000)
  const tokenOf = ({ path }: Raw): string => DEVICE.exec(path)?.[1] ?? ''

  const refusalOf = (raw: Raw): ScriptedResponse | undefined => {
    if (raw.method !== 'POST') return apnsError('MethodNotAllowed')
    if (!DEVICE.test(raw.path)) return apnsError('BadPath')
    return refuseToken(raw) ?? refuseNotification(raw, tokenOf(raw), topic)
  }

  const endpoint = makeEndpoint<ApnsRequest>(
    {
      tokenOf,
      read: (raw) => ({
        token: tokenOf(raw),
        headers: raw.headers,
        body: parseJson(raw.body.toString()),
        refusal: refusalOf(raw),
      }),
      accept: () => reply(200),
    },
    counting,
  )

  /**
   * Every answer bears `apns-id`: "The same value found in the apns-id field of the request's header. If you don't specify an apns-id,
   * APNs creates a new UUID", and `apns-unique-id` "only in the Development environment" (handling-notification-responses-from-apns).
   */
  const idsOf = ({ headers }: Raw): Readonly<Record<string, string>> => ({
    'apns-id': String(headers['apns-id'] ?? randomUUID()),
    ...(options.environment === 'sandbox' && { 'apns-unique-id': randomUUID() }),
  })

  serveBy(async (raw) => {
    const answer = await endpoint.serve(raw)
    return answer.kind === 'reply' ? { ...answer, headers: { ...answer.headers, ...idsOf(raw) } } : answer
  })
  return { ...server, ...endpoint }
}
