import { once } from 'node:events'
import { Agent, createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { makeAuthority, openConnectProxy } from '@almoner/push-providers'
import * as E from 'fp-ts/lib/Either.js'
import t, { type Test } from 'tap'
import { EnvHttpProxyAgent, request as undiciRequest } from 'undici'
import { agentOptionsFor, type HttpsProxy, readHttpsProxy } from '../src/https-proxy.ts'
import { serverTime } from '../src/index.ts'

// Outgoing requests honour HTTPS_PROXY and NO_PROXY (operations.md).

const PROXY = 'http://proxy.example.org:3128/'

const read = (environment: Record<string, string>): HttpsProxy | undefined => {
  const found = readHttpsProxy(environment)
  if (E.isLeft(found)) throw new Error(found.left)
  return found.right
}

t.test('HTTPS_PROXY: every usual form of a proxy is taken', async (t) => {
  for (const [text, url] of [
    ['http://proxy.example.org:3128', PROXY],
    ['proxy.example.org:3128', PROXY],
    ['  http://proxy.example.org:3128/  ', PROXY],
    ['HTTP://Proxy.Example.org:3128', PROXY],
    ['https://proxy.example.org', 'https://proxy.example.org/'],
    ['10.0.0.1:3128', 'http://10.0.0.1:3128/'],
    ['[fd00::1]:3128', 'http://[fd00::1]:3128/'],
    ['user:p%40ss@proxy:3128', 'http://user:p%40ss@proxy:3128/'],
  ] as const) {
    t.equal(read({ HTTPS_PROXY: text })?.url, url, text)
    t.equal(read({ https_proxy: text, HTTPS_PROXY: 'http://another:1' })?.url, url, `${text}, in lower case`)
  }
  for (const none of [
    {},
    { HTTPS_PROXY: '' },
    { HTTPS_PROXY: ' ' },
    { HTTP_PROXY: PROXY },
    { NO_PROXY: '*' },
  ])
    t.equal(read(none), undefined, JSON.stringify(none))
  t.equal(read({ https_proxy: '', HTTPS_PROXY: PROXY }), undefined, 'switched off by the name in lower case')
})

t.test('HTTPS_PROXY: another value is refused by name, and not repeated', async (t) => {
  for (const text of [
    'socks5://secret@proxy:1080',
    'http://',
    'http://a:secret%@b',
    'ftp://secret',
    'a b',
    ':1',
  ])
    t.match(readHttpsProxy({ HTTPS_PROXY: text }), {
      _tag: 'Left',
      left: /^HTTPS_PROXY must be (?!.*secret)/,
    })
})

/** Starts an https server of this machine that answers with its Date alone. */
const startServer = async (t: Test) => {
  const authority = await makeAuthority()
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, authority.ca])
  const server = createServer(await authority.leaf(), (_, response) => response.end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    setDefaultCACertificates(before)
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, ca: authority.ca }
}

/** NO_PROXY, with PORT for the port of the server, and whether `provider.invalid` is reached directly. */
const EXCEPTIONS = [
  ['', false],
  ['*', true],
  ['example.org', false],
  ['provider.invalid', true],
  ['.provider.invalid', true],
  ['*.invalid', true],
  ['.invalid', true],
  ['invalid', true],
  ['PROVIDER.Invalid', true],
  ['provider.invalid.', true],
  ['vider.invalid', false],
  ['sub.provider.invalid', false],
  ['example.org,provider.invalid', true],
  [' example.org provider.invalid ', true],
  ['provider.invalid:PORT', true],
  ['provider.invalid:1', false],
  ['10.0.0.0/8', false],
] as const

t.test('NO_PROXY: the agents of Node and undici read it alike', async (t) => {
  const { port } = await startServer(t)
  const proxy = await openConnectProxy()
  t.teardown(proxy.stop)
  const url = `https://provider.invalid:${port}/`
  for (const [text, isDirect] of EXCEPTIONS)
    for (const name of ['NO_PROXY', 'no_proxy']) {
      const found = read({ HTTPS_PROXY: proxy.url, [name]: text.replace('PORT', String(port)) })
      const agent = new Agent(agentOptionsFor(found))
      const dispatcher = new EnvHttpProxyAgent({
        httpProxy: '',
        httpsProxy: found?.url ?? '',
        noProxy: found?.except ?? '',
      })
      const byNode = (): Promise<unknown> => once(request(url, { agent }).end(), 'response')
      const byUndici = (): Promise<unknown> => undiciRequest(url, { dispatcher })
      for (const [who, ask] of Object.entries({ byNode, byUndici })) {
        const before = proxy.asked.length
        // A name that only the proxy finds.
        const isAnswered = await ask().then(
          () => true,
          () => false,
        )
        t.equal(isAnswered, !isDirect, `${name}=${text} ${who}`)
        t.equal(proxy.asked.length, before + (isDirect ? 0 : 1), `${name}=${text} ${who}`)
      }
      agent.destroy()
      await dispatcher.destroy()
    }
})

t.test('serverTime: a server behind a proxy is asked through it', async (t) => {
  const { port, ca } = await startServer(t)
  const proxy = await openConnectProxy()
  t.teardown(proxy.stop)
  const origin = `https://provider.invalid:${port}`
  t.type(await serverTime(origin, { ca, proxy: { url: proxy.url, except: '' } }), 'number')
  t.strictSame(
    proxy.asked.map(({ target }) => target),
    [`provider.invalid:${port}`],
  )
  t.equal(await serverTime(origin, { ca }), undefined)
  proxy.answerBy(403)
  t.equal(await serverTime(origin, { ca, proxy: { url: proxy.url, except: '' } }), undefined)
})
