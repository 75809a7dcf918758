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
 * authority; nor does it retry, since the push is retried.
 * @param limit how long an answer is waited for, in milliseconds
 */
export const makeAccessTokens = (
  { client_email, private_key, token_uri = GOOGLE }: FcmCredentials,
  { post }: Pick<Http2Connections, 'post'>,
  limit: number,
): AccessTokens => {
  const fetchImplementation = async (
    _google: unknown,
    init?: { readonly body?: unknown },
  ): Promise<Response> => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const posting = { url: new URL(token_uri), headers, body: String(init?.body) }
    const answer = await withTimeout(limit, undefined, (deadline) => post(posting, deadline))
    if (answer === undefined) throw new Error('The token endpoint gave no answer.')
    const { status, retryAfter, body } = answer
    return new Response(body, {
      status,
      headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
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
  return {
    current: async () => {
      const { token } = await client.getAccessToken()
      if (typeof token !== 'string') throw new Error('The token endpoint gave no token.')
      return token
    },
    discard: (token) => {
      // Of many that were refused with one token, the first discards it.
      if (client.credentials.access_token === token) client = fresh()
    },
  }
}
