import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type KoaContextWithOIDC } from 'oidc-provider'
import { loginPath, serveLogin } from './login-page.ts'
import { memoryAdapter } from './memory-adapter.ts'

/** A person whom the provider knows. The map's key is the subject, which is also what the person types on its page. */
export interface Account {
  readonly email: string
  readonly isVerified?: boolean
  /** The claims of each place exactly as they are sent, where a provider differs from address and verification. */
  readonly sent?: SentClaims
}

/** Claims as another provider sends them: those of the ID token, and those of the userinfo endpoint. */
export interface SentClaims {
  readonly idToken: Readonly<Record<string, unknown>>
  readonly userinfo: Readonly<Record<string, unknown>>
}

export interface ProviderOptions {
  readonly redirectUri: string
  /** By subject. The map may change while the provider runs. */
  readonly accounts: Map<string, Account>
  /** Whether addresses are in the token, other than at the userinfo endpoint alone. */
  readonly hasEmailInToken?: boolean
  /** Whether it publishes other keys, of the same names, than it signs with: its tokens look as if another provider had signed them. */
  readonly publishesOtherKeys?: boolean
}

/** A provider on loopback. */
export interface OidcProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Publishes these keys, in the form of JWK, instead of the keys that it signs with. */
  readonly publish: (keys: ReadonlyArray<object>) => void
  /** Closes the connection of each request unanswered, or answers again. */
  readonly setDown: (isDown: boolean) => void
  /** Returns how often its configuration was asked for. */
  readonly fetches: () => number
  /** Takes no more requests. Stopping twice is the same as once. */
  readonly stop: () => Promise<void>
  /** Listens again, at the same port. */
  readonly start: () => Promise<void>
}

const CLIENT = { clientId: 'almoner', clientSecret: 'client-secret-of-almoner' }

/** The client of an app on phones, which has no secret. */
export const APP_ID = 'charity-app'

const newKeyPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

const keySet = (key: KeyObject) => ({
  keys: [{ ...key.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'key-of-tests' }],
})

const KEYS = keySet(newKeyPair().privateKey)

const makeProvider = (issuer: string, options: ProviderOptions): Provider => {
  const { redirectUri, accounts, hasEmailInToken = false } = options
  const provider = new Provider(issuer, {
    adapter: memoryAdapter(),
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
      {
        client_id: APP_ID,
        token_endpoint_auth_method: 'none',
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified', 'xms_edov', 'groups'] },
    // Which claims the token has is decided below, for each account.
    conformIdTokenClaims: false,
    cookies: { keys: ['test'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context, subject) => {
      const account = accounts.get(subject)
      if (account === undefined) return undefined
      const { email, isVerified = true } = account
      const both = { email, email_verified: isVerified }
      const { idToken, userinfo } = account.sent ?? { idToken: hasEmailInToken ? both : {}, userinfo: both }
      return {
        accountId: subject,
        claims: (use) => ({ sub: subject, ...(use === 'id_token' ? idToken : userinfo) }),
      }
    },
    interactions: { url: (_context, { uid }) => loginPath(uid) },
    jwks: KEYS as never,
    // Every client has the person's consent.
    loadExistingGrant: async ({ oidc }) => {
      const { client, session } = oidc
      if (client === undefined || session?.accountId === undefined) return undefined
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
    pkce: { required: () => true },
    ttl: { AccessToken: 600, Grant: 3600, IdToken: 600, Interaction: 600, Session: 3600 },
  })
  // The library always answers for the subject of the token.
  provider.use(async (context, next) => {
    await next()
    const oidc = context['oidc'] as KoaContextWithOIDC['oidc'] | undefined
    if (oidc?.route !== 'userinfo') return
    const subject = accounts.get(oidc.account?.accountId ?? '')?.sent?.userinfo['sub']
    if (subject !== undefined) context.body = { ...(context.body as object), sub: subject }
  })
  return provider
}

/** Opens a provider whose people type their subject instead of a password. */
export const openProvider = async (options: ProviderOptions): Promise<OidcProvider> => {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const provider = makeProvider(issuer, options)
  const answer = provider.callback()
  let otherKeys: object | undefined = options.publishesOtherKeys ? keySet(newKeyPair().publicKey) : undefined
  let isDown = false
  let fetches = 0
  server.on('request', async (request, response) => {
    if (request.url === '/.well-known/openid-configuration') fetches += 1
    if (isDown) request.socket.destroy()
    else if (otherKeys !== undefined && request.url === '/jwks')
      response.setHeader('content-type', 'application/json').end(JSON.stringify(otherKeys))
    else if (!(await serveLogin(provider, request, response))) await answer(request, response)
  })
  return {
    issuer,
    ...CLIENT,
    publish: (keys) => {
      otherKeys = { keys }
    },
    setDown: (down) => {
      isDown = down
    },
    fetches: () => fetches,
    stop: async () => {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
    start: async () => {
      await once(server.listen(port, '127.0.0.1'), 'listening')
    },
  }
}
