import { once } from 'node:events'
import { request as ask, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { folderImageFiles } from '@almoner/adapters-media'
import { DEFAULT_POLICY } from '@almoner/domain'
import Fastify from 'fastify'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { almonerPlugin, buildServer, LARGEST_HEAD, LONGEST_SEGMENT } from '../../src/index.ts'
import { type Fixture, startFixture } from '../support/fixture.ts'

// Two OAuth clients as others have written them, against servers that are where they say they are.

/** Before a server listens it has no port yet. */
const NOWHERE = 'http://127.0.0.1:0'

/** A whole server that says it is elsewhere; gives where it listens. */
const served = async (t: Test, fixture: Fixture, baseUrl: () => string): Promise<string> => {
  const { app } = await buildServer({
    ports: fixture.ports,
    policy: DEFAULT_POLICY,
    baseUrl,
    logger: pino({ level: 'silent' }),
    media: { files: folderImageFiles(fixture.mediaFolder) },
    version: '1',
    metrics: false,
    ready: async () => [],
  })
  t.teardown(() => app.close())
  return app.listen({ host: '127.0.0.1', port: 0 })
}

/** A whole server at its own address. */
const servedAlone = async (t: Test, fixture: Fixture): Promise<string> => {
  let url = NOWHERE
  url = await served(t, fixture, () => url)
  return url
}

/** The API under a prefix of another application. */
const embeddedAt = async (t: Test, fixture: Fixture, prefix: string): Promise<string> => {
  let url = NOWHERE
  const app = Fastify({
    routerOptions: { maxParamLength: LONGEST_SEGMENT },
    http: { maxHeaderSize: LARGEST_HEAD },
  })
  const almoner = { ports: fixture.ports, policy: DEFAULT_POLICY }
  await app.register(almonerPlugin, { almoner, prefix, baseUrl: () => url })
  t.teardown(() => app.close())
  url = await app.listen({ host: '127.0.0.1', port: 0 })
  return `${url}${prefix}`
}

/** A proxy with the server below a path, as in docs/deployment.md. */
const behindProxy = async (t: Test, fixture: Fixture, path: string): Promise<string> => {
  let server = ''
  const known = `/.well-known/oauth-authorization-server${path}`
  const proxy = createServer((request, response) => {
    const { method, headers, url = '' } = request
    const target = url === known ? url : url.slice(path.length)
    const passed = ask(`${server}${target}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    request.pipe(passed)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.teardown(() => proxy.close())
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${path}`
  server = await served(t, fixture, () => url)
  return url
}

const start = async (t: Test): Promise<Fixture> => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  return fixture
}

/** What this library calls insecure is http, which tests on loopback speak. */
const HTTP = { [oauth.allowInsecureRequests]: true }

const discovered = async (url: string): Promise<oauth.AuthorizationServer> => {
  const issuer = new URL(url)
  const answer = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...HTTP })
  return oauth.processDiscoveryResponse(issuer, answer)
}

const AUTHENTICATIONS = {
  client_secret_basic: oauth.ClientSecretBasic,
  client_secret_post: oauth.ClientSecretPost,
}

/** Goes the whole way of a token. */
const wholeWay = async (t: Test, fixture: Fixture, url: string) => {
  const server = await discovered(url)
  t.equal(server.issuer, url)
  const client = { client_id: 'donor' }
  const secret = fixture.secrets.donor ?? ''
  const library = new URL(`${url}/library/`)
  const use = (token: string) => oauth.protectedResourceRequest(token, 'GET', library, undefined, null, HTTP)
  // Public clients, which authenticate by no method, get no tokens by this grant.
  for (const [method, authenticate] of Object.entries(AUTHENTICATIONS)) {
    const authentication = authenticate(secret)
    const grant = async (parameters: Record<string, string>) =>
      oauth.processClientCredentialsResponse(
        server,
        client,
        await oauth.clientCredentialsGrantRequest(server, client, authentication, parameters, HTTP),
      )
    t.match(await grant({}), { token_type: 'bearer', expires_in: 3600, scope: 'user user-donor' }, method)
    const { access_token, scope } = await grant({ scope: 'user' })
    t.equal(scope, 'user', 'fewer scopes than the client has')
    t.equal((await use(access_token)).status, 200)
    const answer = await oauth.revocationRequest(server, client, authentication, access_token, HTTP)
    await oauth.processRevocationResponse(answer)
    await t.rejects(use(access_token), oauth.WWWAuthenticateChallengeError)
  }
}

t.test(
  'RFC 8414, 6749, 7009: oauth4webapi discovers the server, gets, uses and revokes tokens',
  async (t) => {
    const fixture = await start(t)
    const url = await servedAlone(t, fixture)
    const methods = (await discovered(url)).token_endpoint_auth_methods_supported
    t.same(methods, [...Object.keys(AUTHENTICATIONS), 'none'])
    await wholeWay(t, fixture, url)
  },
)

t.test('RFC 8414 §3.1: so it does where the API is under a prefix of an application', async (t) => {
  const fixture = await start(t)
  await wholeWay(t, fixture, await embeddedAt(t, fixture, '/almoner'))
})

t.test('RFC 8414 §3.1: also if a proxy has the server below a path', async (t) => {
  const fixture = await start(t)
  const url = await behindProxy(t, fixture, '/some/api')
  await wholeWay(t, fixture, url)
  const known = `${new URL(url).origin}/.well-known/oauth-authorization-server/some/api`
  t.equal((await fetch(known, { method: 'HEAD' })).status, 200)
  t.equal((await fetch(known, { method: 'POST' })).status, 405)
})

t.test('RFC 6749 §5.2, 6750 §3: oauth4webapi understands every error', async (t) => {
  const fixture = await start(t)
  const url = await servedAlone(t, fixture)
  const server = await discovered(url)
  const ask = async (client_id: string, secret: string, parameters: Record<string, string>) => {
    const authentication = oauth.ClientSecretBasic(secret)
    const client = { client_id }
    const answer = await oauth.clientCredentialsGrantRequest(server, client, authentication, parameters, HTTP)
    return oauth.processClientCredentialsResponse(server, client, answer)
  }
  const refusal = (attempt: Promise<unknown>) => attempt.catch((cause: unknown) => cause)
  const stranger = await refusal(ask('donor', 'wrong', {}))
  t.ok(stranger instanceof oauth.WWWAuthenticateChallengeError)
  t.match(stranger, { status: 401, cause: [{ scheme: 'basic', parameters: { realm: 'almoner' } }] })
  t.match(await (stranger as oauth.WWWAuthenticateChallengeError).response.json(), {
    error: 'invalid_client',
  })

  const secret = fixture.secrets.donor ?? ''
  const greedy = await refusal(ask('donor', secret, { scope: 'content-manager' }))
  t.ok(greedy instanceof oauth.ResponseBodyError)
  t.match(greedy, { status: 400, error: 'invalid_scope', error_description: /requested scope/ })

  const post = (token: string) =>
    oauth.protectedResourceRequest(token, 'POST', new URL(`${url}/library/`), undefined, null, HTTP)
  const { access_token } = await ask('donor', secret, {})
  const challenge = (error: string, more: object = {}) => [
    { scheme: 'bearer', parameters: { realm: 'almoner', error, ...more } },
  ]
  t.match(await refusal(post(access_token)), {
    status: 403,
    cause: challenge('insufficient_scope', { scope: 'content-manager' }),
  })
  t.match(await refusal(post('nobody-gave-this')), { status: 401, cause: challenge('invalid_token') })
})

t.test(
  'RFC 8414, 6749, 7009: openid-client discovers the server, gets, uses and revokes tokens',
  async (t) => {
    const fixture = await start(t)
    for (const url of [await servedAlone(t, fixture), await embeddedAt(t, fixture, '/almoner')]) {
      for (const authentication of [openid.ClientSecretPost, openid.ClientSecretBasic]) {
        const config = await openid.discovery(
          new URL(url),
          'donor',
          undefined,
          authentication(fixture.secrets.donor),
          { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
        )
        const { access_token, scope } = await openid.clientCredentialsGrant(config, { scope: 'user' })
        t.equal(scope, 'user')
        const use = () =>
          openid.fetchProtectedResource(config, access_token, new URL(`${url}/library/?lim=1`), 'GET')
        t.match(await (await use()).json(), { items: [] })
        await openid.tokenRevocation(config, access_token)
        await t.rejects(use(), openid.WWWAuthenticateChallengeError)
        await t.rejects(openid.clientCredentialsGrant(config, { scope: 'x' }), {
          name: 'ResponseBodyError',
          error: 'invalid_scope',
        })
      }
    }
  },
)

t.test('both libraries use http only if they are configured to', async (t) => {
  const fixture = await start(t)
  const url = new URL(await servedAlone(t, fixture))
  await t.rejects(oauth.discoveryRequest(url, { algorithm: 'oauth2' }), /only requests to HTTPS are allowed/)
  await t.rejects(openid.discovery(url, 'donor', undefined, undefined, { algorithm: 'oauth2' }), {
    cause: /only requests to HTTPS are allowed/,
  })
})
