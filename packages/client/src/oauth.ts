import { TokenError } from './errors.ts'
import type { paths } from './generated/api.ts'
import { retryAfterOf } from './patient.ts'
import type { Send } from './ports.ts'
import type { AccessToken } from './tokens.ts'

/** What a client was registered with. They belong on a server: whoever has a page has what its script knows. */
export interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
  /** What the token may do, of what the client holds, with spaces between; all of it when left out. */
  readonly scope?: string
}

/** Milliseconds after which the token endpoint counts as gone. */
const TIMEOUT = 30_000

/** The token endpoint and its counterpart, for one client. */
export interface OAuth {
  /** A new token. Rejects with a {@link TokenError}. */
  readonly obtain: () => Promise<AccessToken>
  /** Ends a token's life (RFC 7009). Rejects with a {@link TokenError}. */
  readonly revoke: (token: string) => Promise<void>
}

/** Talks to the token endpoint of a service with a client's credentials, in a form, never in an address (A4, A6). */
export const oauthOf = (baseUrl: string, credentials: Credentials, send: Send, now: () => number): OAuth => {
  const { clientId, clientSecret, scope } = credentials
  const post = async (path: keyof paths, fields: Readonly<Record<string, string>>): Promise<Response> => {
    const body = new URLSearchParams({ ...fields, client_id: clientId, client_secret: clientSecret })
    const request = new Request(`${baseUrl}${path}`, {
      method: 'POST',
      body,
      signal: AbortSignal.timeout(TIMEOUT),
    })
    const response = await send(request)
    if (response.ok) return response
    const problem: unknown = await response.json().catch(() => undefined)
    throw new TokenError({ status: response.status, retryAfter: retryAfterOf(response, now()) }, problem)
  }
  return {
    obtain: async () => {
      const asked = { grant_type: 'client_credentials', ...(scope === undefined ? {} : { scope }) }
      return (await post('/oauth2/get-token', asked)).json() as Promise<AccessToken>
    },
    revoke: async (token) => {
      await (await post('/oauth2/revoke', { token })).body?.cancel()
    },
  }
}
