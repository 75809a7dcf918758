import { randomBytes } from 'node:crypto'
import { reply, type ScriptedResponse } from '../server/answer.ts'
import { type Counting, type Endpoint, makeEndpoint, type Read } from '../server/endpoint.ts'
import { type Listening, type Loopback, listen, type Raw } from '../server/listen.ts'
import { webPushGone } from './answers.ts'
import { decrypt } from './decrypt.ts'
import { refuseMessage } from './header-rules.ts'
import { makeSubscription, type Secrets, type Subscription } from './subscriptions.ts'
import { refuseSender } from './vapid.ts'

/** A request for a push message to be delivered; its token is the address it went to, so that a redirect that was followed shows. */
export interface WebPushRequest extends Read {
  readonly topic: string | undefined
  readonly urgency: string | undefined
  /** Seconds. */
  readonly ttl: number
  /** What the browser would read; undefined when it could not, of which a real service would know nothing. */
  readonly text: string | undefined
}

/** A push service. A script's token is an endpoint. */
export interface WebPush extends Loopback, Endpoint<WebPushRequest> {
  /**
   * A browser subscribes.
   * @param applicationServerKey the only public key it takes messages from; any when left out
   * @param path the path of the endpoint, with its query; a new one when left out
   */
  subscribe(applicationServerKey?: string, path?: string): Subscription
}

/** How to open {@link WebPush}. */
export interface WebPushOptions extends Listening {
  readonly counting?: Counting
  /** Milliseconds since the epoch; the machine's clock when left out. */
  readonly now?: () => number
}

const STREAMS = 100

/**
 * A push service on loopback, over HTTP/2 and HTTP/1.1 (RFC 8030, 8291, 8292): the check of the subscription, of who sends, of the message,
 * then what the script says.
 */
export const openWebPush = async (options: WebPushOptions): Promise<WebPush> => {
  const { counting, now = Date.now } = options
  const { serveBy, ...server } = await listen(options, { http1: true, streams: STREAMS })
  const { origin } = server
  const subscriptions = new Map<string, Secrets>()
  const tokenOf = ({ path }: Raw): string => `${origin}${path}`

  const refusalOf = (raw: Raw, secrets: Secrets | undefined): ScriptedResponse | undefined => {
    if (secrets === undefined) return webPushGone(404)
    if (raw.method !== 'POST') return reply(405)
    const sender = raw.headers.authorization ?? ''
    return refuseSender(sender, secrets.restrictedTo, origin, now() / 1000) ?? refuseMessage(raw)
  }

  const read = (raw: Raw): WebPushRequest => {
    const token = tokenOf(raw)
    const secrets = subscriptions.get(token)
    const { topic, urgency, ttl } = raw.headers
    return {
      token,
      headers: raw.headers,
      topic: topic?.toString(),
      urgency: urgency?.toString(),
      ttl: Number(ttl),
      text: secrets && decrypt(raw.body, secrets),
      refusal: refusalOf(raw, secrets),
    }
  }

  // "201 (Created)", with the message's own address in `Location`, and how long it is kept in `TTL` (RFC 8030, sections 5 and 5.2).
  const accept = ({ headers }: Raw): ScriptedResponse =>
    reply(201, {
      location: `${origin}/message/${randomBytes(16).toString('base64url')}`,
      ttl: String(headers['ttl']),
    })

  const endpoint = makeEndpoint<WebPushRequest>({ tokenOf, read, accept }, counting)
  serveBy(endpoint.serve)
  return {
    ...server,
    ...endpoint,
    subscribe: (applicationServerKey, path = `/push/${randomBytes(16).toString('base64url')}`) => {
      const endpoint = `${origin}${path}`
      const [subscription, secrets] = makeSubscription(endpoint, applicationServerKey)
      subscriptions.set(endpoint, secrets)
      return subscription
    },
  }
}
