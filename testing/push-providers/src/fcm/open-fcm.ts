import { randomBytes } from 'node:crypto'
import { makeServiceAccount, type ServiceAccount } from '../credentials/service-account.ts'
import { reply, replyJson, type ScriptedResponse } from '../server/answer.ts'
import {
  type Counting,
  type Endpoint,
  makeEndpoint,
  type OpenEndpoint,
  type Read,
} from '../server/endpoint.ts'
import { isRecord, parseJson } from '../server/json.ts'
import { type Listening, type Loopback, listen, type Raw } from '../server/listen.ts'
import { permissionDenied, unauthenticated } from './answers.ts'
import { refuseMessage, targetOf } from './message-rules.ts'
import { makeTokenDesk, type TokenEndpoint, type TokenRequest } from './token-endpoint.ts'

/** A request to send a message. */
export interface FcmRequest extends Read {
  readonly project: string
  /** The body as JSON; undefined when it is none. */
  readonly body: unknown
}

/** FCM and the token endpoint it goes with. */
export interface Fcm extends Loopback, Endpoint<FcmRequest> {
  /** What a client sends with: its `token_uri` is this server. */
  readonly account: ServiceAccount
  /** The token endpoint. A script's token is {@link ServiceAccount.client_email}. */
  readonly oauth: Endpoint<TokenRequest>
  /** How many seconds later tokens hold and are said to: 3600 at first; 0 for tokens that expire at once. */
  setTokenLife(seconds: number): void
  /** Invalidates all issued tokens, even unexpired ones. */
  revokeTokens(): void
}

/** How to open {@link Fcm}. */
export interface FcmOptions extends Listening {
  readonly counting?: Counting
  /** Milliseconds since the epoch; the machine's clock when left out. */
  readonly now?: () => number
}

/** A message as most clients write it, its target first: where messages are only counted, the rest need not be read. */
const TARGET_FIRST = /^\{"message":\{"(?:token|fid)":"([^"\\]+)"/

const tokenOf = ({ body }: Raw): string => {
  const text = body.toString()
  return TARGET_FIRST.exec(text)?.[1] ?? targetOf(parseJson(text))
}

const PROJECT = 'loopback-project'
/** `POST https://fcm.googleapis.com/v1/{parent=projects/*}/messages:send` (the reference of `send`). */
const SEND = /^\/v1\/projects\/([^/]+)\/messages:send$/
const TOKEN = '/token'
/** What HTTP/2 servers of Google's allow. */
const STREAMS = 100

/**
 * `projects/*\/messages/{message_id}` (the reference of `Message`, `name`). "validate_only: flag for testing the request without actually
 * delivering the message" (the reference of `send`), which the response shows (https://bloomberg.github.io/pushiko/fcm_responses).
 */
const messageId = (request: FcmRequest | undefined): string =>
  isRecord(request?.body) && request.body['validate_only'] === true
    ? 'fake_message_id'
    : `0:${randomBytes(8).toString('hex')}`

const makeSendDesk = (
  project: string,
  tokens: TokenEndpoint,
  counting?: Counting,
): OpenEndpoint<FcmRequest> => {
  const refusalOf = (raw: Raw, asked: string, body: unknown): ScriptedResponse | undefined => {
    const [scheme, accessToken = ''] = (raw.headers.authorization ?? '').split(' ')
    if (scheme !== 'Bearer' || !tokens.isGood(accessToken)) return unauthenticated()
    return asked === project ? refuseMessage(body) : permissionDenied(asked)
  }
  return makeEndpoint<FcmRequest>(
    {
      tokenOf,
      read: (raw) => {
        const body = parseJson(raw.body.toString())
        const asked = SEND.exec(raw.path)?.[1] ?? ''
        return {
          token: targetOf(body),
          headers: raw.headers,
          project: asked,
          body,
          refusal: refusalOf(raw, asked, body),
        }
      },
      accept: (_raw, request) =>
        replyJson(200, { name: `projects/${project}/messages/${messageId(request)}` }),
    },
    counting,
  )
}

/**
 * FCM HTTP v1 on loopback, over HTTP/2 and HTTP/1.1: the check of the access token, then of the message, then what the script says.
 * Where messages are only counted, the token endpoint still does all it does.
 */
export const openFcm = async ({ counting, now = Date.now, ...listening }: FcmOptions): Promise<Fcm> => {
  const { serveBy, ...server } = await listen(listening, { http1: true, streams: STREAMS })
  const account = makeServiceAccount(PROJECT, `${server.origin}${TOKEN}`)
  const oauth = makeTokenDesk(account, () => now() / 1000)
  const endpoint = makeSendDesk(PROJECT, oauth, counting)
  serveBy(async (raw) => {
    if (raw.method !== 'POST') return reply(404)
    if (raw.path === TOKEN) return oauth.serve(raw)
    return SEND.test(raw.path) ? endpoint.serve(raw) : reply(404)
  })
  return { ...server, ...endpoint, account, oauth, setTokenLife: oauth.setLife, revokeTokens: oauth.revoke }
}
