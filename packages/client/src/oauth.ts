import { TokenError } from './errors.ts'
import type { paths } from './generated/api.ts'
import { retryAfterOf } from './patient.ts'
import type { Send } from './ports.ts'
import { type AccessToken, type Obtain, PATIENCE } from './tokens.ts'

/** The credentials of a client. They belong on a server, because users of a page can read its script. */
export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
  /** What the token may do, of what the client holds, with spaces between; all of it when left out. */
  readonly scope?: string
}

/** The token endpoint and its counterpart, for one client. */
export interface OAuth {
  /** A new token. Rejects with a {@link TokenError}. */
  readonly obtain: Obtain
  /** Ends a token's life (RFC 7009). Rejects with a {@link TokenError}. */
  readonly revoke: (token: string) => Promise<void>
}

/** Talks to the token endpoint of a service with a client's credentials, in a form, never in an address (A4, A6). */
export const oauthOf = (baseUrl: string, credentials: Credentials, send: Send, now: () => number): OAuth => {
  const { clientId, clientSecret, scope } = credentials
  const post = async (path: keyof paths, fields: Readonly<Record<string, string>>, signal: AbortSignal) => {
    const body = new URLSearchParams({ ...fields, client_id: clientId, client_secret: clientSecret })
    const request = new Request(`${baseUrl}${path}`, { method: 'POST', body, signal })
    const response = await send(request)
    if (response.ok) return response
    const problem: unknown = await response.json().catch(() => undefined)
    throw new TokenError({ status: response.status, retryAfter: retryAfterOf(response, now()) }, problem)
  }
  return {
    obtain: async (signal) => {
      const asked = { grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) }
      return (await post('/oauth2/get-token', asked, signal)).json() as Promise<AccessToken>
    },
    revoke: async (token) => {
      const answer = await post('/oauth2/revoke', { token }, AbortSignal.timeout(PATIENCE))
      await answer.body?.cancel()
    },
  }
}
