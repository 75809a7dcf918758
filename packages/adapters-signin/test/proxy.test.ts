import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { makeAuthority, openConnectProxy } from '@almoner/push-providers'
import { failure } from '@almoner/testkit/contracts'
import * as E from 'fp-ts/lib/Either.js'
import t, { type Test } from 'tap'
import { makeIdentityProvider } from '../src/index.ts'

// Requests to the OpenID provider go through the proxy, except to the hosts that are named (operations.md).

const REDIRECT_URI = 'https://almoner.example.org/console/sign-in'

/** Starts a provider behind TLS that has a configuration and refuses every code, and a proxy that alone finds its name. */
const start = async (t: Test) => {
  const authority = await makeAuthority()
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, authority.ca])
  const asked: Array<string> = []
  const server = createServer(await authority.leaf(), ({ url = '', headers: { host } }, response) => {
    asked.push(url)
    const issuer = `https://${host}`
    const configuration = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
    }
    response.setHeader('Content-Type', 'application/json')
    if (url === '/token') response.writeHead(400).end(JSON.stringify({ error: 'invalid_grant' }))
    else response.end(JSON.stringify(configuration))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy = await openConnectProxy()
  t.teardown(async () => {
    setDefaultCACertificates(before)
    server.closeAllConnections()
    server.close()
    await proxy.stop()
  })
  const host = `provider.invalid:${(server.address() as AddressInfo).port}`
  const providerWith = (except: string) =>
    makeIdentityProvider({
      ...{ issuer: `https://${host}`, clientId: 'almoner', clientSecret: 'secret' },
      ...{ domains: [], trustsEmail: false },
      redirectUri: () => REDIRECT_URI,
      proxy: { url: proxy.url.replace('//', '//user:pass@'), except },
    })
  return { asked, host, proxy, providerWith }
}

t.test('proxy: both the configuration and codes go through a tunnel', async (t) => {
  const { asked, host, proxy, providerWith } = await start(t)
  const provider = providerWith('')
  const started = await provider.start('a-secret', false)()
  if (E.isLeft(started)) throw started.left.cause
  const state = new URL(started.right).searchParams.get('state')
  t.equal(await failure(provider.finish('a-secret', `?code=a&state=${state}`)), 'IdentityRefused')
  t.strictSame(asked, ['/.well-known/openid-configuration', '/token'])
  t.ok(proxy.asked.length > 0)
  for (const { target, authorization } of proxy.asked) {
    t.equal(target, host)
    t.equal(authorization, `Basic ${Buffer.from('user:pass').toString('base64')}`)
  }
})

t.test('proxy: a proxy that refuses is a provider that does not answer, without its password', async (t) => {
  const { asked, proxy, providerWith } = await start(t)
  for (const way of [407, 403, 502]) {
    proxy.answerBy(way)
    const started = await providerWith('').start('a-secret', false)()
    t.match(started, { left: { _tag: 'ProviderUnavailable' } }, String(way))
    if (E.isLeft(started)) t.notMatch(String(started.left.cause), 'pass')
  }
  t.equal(asked.length, 0)
})

t.test('proxy: hosts that are named are reached directly', async (t) => {
  const { proxy, providerWith } = await start(t)
  for (const except of ['*', 'provider.invalid', '.invalid'])
    t.equal(await failure(providerWith(except).start('a-secret', false)), 'ProviderUnavailable')
  t.equal(proxy.asked.length, 0)
})
