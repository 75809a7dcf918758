import { createHash, randomBytes } from 'node:crypto'
import { APP_ID } from './provider.ts'

/** Cookies of one visitor, by name. */
type Cookies = Map<string, string>

const visit = async (url: string, cookies: Cookies, form?: URLSearchParams): Promise<Response> => {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { cookie },
    ...(form && { method: 'POST', body: form }),
  })
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '') cookies.delete(name)
    else cookies.set(name, value)
  }
  return response
}

/**
 * Signs a person in at the provider as a browser would, from the URL of its page to the redirect back.
 * @param account the subject that the person types; undefined cancels
 * @returns the query of the redirect
 */
export const signInAt = async (url: string, account: string | undefined): Promise<string> => {
  const cookies: Cookies = new Map()
  const { origin } = new URL(url)
  let response = await visit(url, cookies)
  for (let steps = 0; steps < 6; steps += 1) {
    const next = response.headers.get('location')
    if (next === null) throw new Error(`the provider answers with ${response.status}`)
    const target = new URL(next, origin)
    if (target.origin !== origin) return target.search.slice(1)
    const isLogin = target.pathname.startsWith('/login/')
    response = await visit(
      target.href,
      cookies,
      isLogin ? new URLSearchParams(account === undefined ? {} : { account }) : undefined,
    )
  }
  throw new Error('the provider redirects without an end')
}

/**
 * Signs a person in to the app `charity-app` by authorization code and PKCE, with the scopes `openid email`.
 * @returns the ID token
 */
export const idTokenOf = async (issuer: string, redirectUri: string, account: string): Promise<string> => {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const asked = new URLSearchParams({
    ...{ client_id: APP_ID, redirect_uri: redirectUri, response_type: 'code', scope: 'openid email' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256' },
  })
  const code = new URLSearchParams(await signInAt(`${issuer}/auth?${asked}`, account)).get('code') ?? ''
  const form = { grant_type: 'authorization_code', code, code_verifier: verifier, client_id: APP_ID }
  const body = new URLSearchParams({ ...form, redirect_uri: redirectUri })
  const response = await fetch(`${issuer}/token`, { method: 'POST', body })
  const { id_token: token } = (await response.json()) as { readonly id_token?: string }
  if (token === undefined) throw new Error(`the provider answers with ${response.status} and no ID token`)
  return token
}
