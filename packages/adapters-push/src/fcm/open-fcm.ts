import { ANSWER_WITHIN } from '@almoner/domain/delivery'
import { type Push, type PushResult, REFUSED, senderError, UNANSWERED } from '@almoner/domain/notifications'
import type { Clock, PushGateway } from '@almoner/domain/ports'
import { SECOND } from '@almoner/domain/values'
import * as E from 'fp-ts/lib/Either.js'
import type { Task } from 'fp-ts/lib/Task.js'
import { type HttpsProxy, makeHttp2Connections } from '../connections.ts'
import { fingerprintOf, readSigningKey } from '../credentials.ts'
import { type Deadline, type StartTimer, withTimeoutOf } from '../post.ts'
import { type AccessTokens, type FcmCredentials, makeAccessTokens } from './access-tokens.ts'
import { bytesOf, type FcmTarget, makeRenderer } from './message.ts'
import { isAboutAccess, outcomeOf, unanswered } from './outcomes.ts'

/** How to open {@link FcmGateway}. */
export interface FcmOptions {
  readonly credentials: FcmCredentials
  readonly clock: Clock
  /** FCM's address, an origin; Google's own when left out. */
  readonly url?: string
  /** An authority to trust beside the machine's, PEM; for the token endpoint too. */
  readonly ca?: string
  readonly proxy?: HttpsProxy | undefined
  /** How long a push is given, in milliseconds: a little less than the domain's `ANSWER_WITHIN` when left out. */
  readonly limit?: number
  /** Ends the time of pushes; the machine's timers when left out. */
  readonly startTimer?: StartTimer
}

/** Firebase Cloud Messaging by its HTTP v1 interface: Android, and iPhones and browsers that registered there. */
export interface FcmGateway extends PushGateway {
  /** Has FCM look at a message that goes nowhere: Delivered when credentials and project are in order. Never rejects. */
  readonly check: Task<PushResult>
  /** Waits for the responses to sent pushes, then closes every connection. Later pushes resolve to Retry. */
  close(): Promise<void>
}

const GOOGLE = 'https://fcm.googleapis.com'
/** Google's servers allow 100 streams on a connection; the window is 1,000 at most. */
const CONNECTIONS = { connections: 10, streams: 100 }
const LIMIT = ANSWER_WITHIN - 0.5 * SECOND

const targetOf = ({ destination }: Push): FcmTarget | undefined => {
  if (destination.provider !== 'fcm') return undefined
  const { form, token } = destination
  return form === 'fid' ? { fid: token } : { token }
}

/** What `check` sends: to a topic, so that no device's token is needed, and with `validate_only`. */
const CHECK = { validate_only: true, message: { topic: 'almoner-check', notification: { title: 'Almoner' } } }

/** Opens the gateway. Nothing is sent, and no connection made, before the first push. */
export const openFcm = ({
  credentials,
  clock,
  url = GOOGLE,
  ca,
  proxy,
  limit = LIMIT,
  startTimer,
}: FcmOptions): FcmGateway => {
  const connections = makeHttp2Connections({ ca, proxy, limit, ...CONNECTIONS })
  const place = new URL(`/v1/projects/${encodeURIComponent(credentials.project_id)}/messages:send`, url)
  const key = readSigningKey('RS256', credentials.private_key)
  const withTimeout = withTimeoutOf(limit, startTimer)
  const tokens = key && makeAccessTokens(credentials, key, { ...connections, withTimeout }, clock)
  const render = makeRenderer()
  const inFlight = new Set<Promise<PushResult>>()

  const post = async (body: string, accessToken: string, deadline: Deadline): Promise<PushResult> => {
    try {
      const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' }
      return outcomeOf(await connections.post({ url: place, headers, body }, deadline), clock.now())
    } catch (error) {
      return unanswered(error)
    }
  }

  const attempt = async (
    given: AccessTokens,
    body: string,
    deadline: Deadline,
    again: boolean,
  ): Promise<PushResult> => {
    const accessToken = await given.current()
    if (E.isLeft(accessToken)) return accessToken.left
    const outcome = await post(body, accessToken.right, deadline)
    if (!isAboutAccess(outcome)) return outcome
    // A token may have been revoked before its time: a new one is tried once.
    given.discard(accessToken.right)
    return again ? attempt(given, body, deadline, false) : outcome
  }

  const ask = async (body: string): Promise<PushResult> => {
    if (tokens === undefined) return senderError('private_key')
    const answer = withTimeout<PushResult>(UNANSWERED, (deadline) => attempt(tokens, body, deadline, true))
    inFlight.add(answer)
    try {
      return await answer
    } finally {
      inFlight.delete(answer)
    }
  }

  return {
    credentials: {
      fcm: fingerprintOf(credentials.project_id, credentials.client_email, credentials.private_key),
    },
    bytesOf,
    send: (push) => async () => {
      const target = targetOf(push)
      return target === undefined ? REFUSED : ask(render(target, push.message, push, clock.now()))
    },
    check: () => ask(JSON.stringify(CHECK)),
    close: async () => {
      await Promise.all(inFlight)
      await connections.close()
    },
  }
}
