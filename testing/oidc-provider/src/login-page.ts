import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type Provider from 'oidc-provider'

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Test provider</title>
<h1>Test provider</h1><form method="post"><label>Account <input name="account" required></label>
<button>Sign in</button></form><form method="post"><button>Cancel</button></form></html>`

/** Where the provider sends people who are to sign in. */
export const loginPath = (uid: string): string => `/login/${uid}`

/** Serves the page on which a person names an account, or cancels. Returns false for requests to other paths. */
export const serveLogin = async (
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> => {
  if (request.url?.startsWith(loginPath('')) !== true) return false
  if (request.method !== 'POST') {
    response.setHeader('Content-Type', 'text/html; charset=utf-8').end(PAGE)
    return true
  }
  const account = new URLSearchParams(await text(request)).get('account')
  const result = account === null ? { error: 'access_denied' } : { login: { accountId: account } }
  await provider.interactionFinished(request, response, result)
  return true
}
