import type { Instant } from '@almoner/domain'
import { type Clock, elapsed } from '@almoner/domain/ports'
import { MINUTE } from '@almoner/domain/values'
import { JWT } from 'google-auth-library'
import type { Http2Connections } from '../http2-connections.ts'
import { withTimeout } from '../with-timeout.ts'
import type { FcmCredentials } from './credentials.ts'

/** Access tokens of a service account. */
export interface AccessTokens {
  /** The token that holds, which many askers share. Rejects with what the token endpoint, or the key, says against it. */
  current(): Promise<string>
  /** Discards a token that was rejected before its expiry. */
  discard(token: string): void
}

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging'
const GOOGLE = 'https://oauth2.googleapis.com/token'

/**
 * Fetches access tokens and keeps each until shortly before it runs out. google-auth-library always asks at Google's own address, so
 * that its requests are turned to the `token_uri` of the credentials here, which also brings them onto connections that trust the extra
 * authority; nor does it retry, since the push is retried. The library goes by the machine's clock alone: a token of a clock that was ahead would be
 * used for the whole step, and be refused, so that it is fetched again (I9).
 * @param limit how long an answer is waited for, in milliseconds
 */
export const makeAccessTokens = (
  { client_email, private_key, token_uri = GOOGLE }: FcmCredentials,
  { post }: Pick<Http2Connections, 'post'>,
  limit: number,
  clock: Clock,
): AccessTokens => {
  const fetchImplementation = async (
    _google: unknown,
    init?: { readonly body?: unknown },
  ): Promise<Response> => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const posting = { url: new URL(token_uri), headers, body: String(init?.body) }
    const answer = await withTimeout(limit, undefined, (deadline) => post(posting, deadline))
    if (answer === undefined) throw new Error('The token endpoint gave no answer.')
    const { status, retryAfter, date, body } = answer
    return new Response(body, {
      status,
      headers: {
        ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
        ...(date !== undefined && { date }),
      },
    })
  }

  const fresh = (): JWT =>
    new JWT({
      email: client_email,
      key: private_key,
      scopes: SCOPE,
      additionalClaims: { aud: token_uri },
      // Or the library would log requests, the signed assertion in them, where the environment asks it to.
      useAuthRequestParameters: false,
      transporterOptions: { fetchImplementation, retryConfig: { retry: 0 } },
    })

  let client = fresh()
  /** The last token, and when it was new by the clock, and by the one that is never set. */
  let last: { readonly token: string; readonly at: Instant; readonly since: number } | undefined

  const isOfOtherClock = (): boolean => {
    if (last === undefined) return false
    const step = clock.now() - last.at - (elapsed(clock) - last.since)
    return Math.abs(step) > MINUTE
  }

  return {
    current: async () => {
      if (isOfOtherClock()) {
        client = fresh()
        last = undefined
      }
      const { token } = await client.getAccessToken()
      if (typeof token !== 'string') throw new Error('The token endpoint gave no token.')
      if (last?.token !== token) last = { token, at: clock.now(), since: elapsed(clock) }
      return token
    },
    discard: (token) => {
      // Of many that were refused with one token, the first discards it.
      if (client.credentials.access_token === token) client = fresh()
    },
  }
}
