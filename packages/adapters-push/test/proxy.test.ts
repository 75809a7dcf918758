import { DELIVERED, type PushResult, UNANSWERED } from '@almoner/domain/notifications'
import type { PushHost } from '@almoner/domain/people'
import { type ConnectProxy, openConnectProxy } from '@almoner/push-providers'
import t, { type Test } from 'tap'
import { openApns } from '../src/apns/index.ts'
import type { HttpsProxy } from '../src/connections.ts'
import { openFcm } from '../src/fcm/index.ts'
import { openWebPush } from '../src/webpush/open-web-push.ts'
import * as apns from './apns.ts'
import * as fcm from './fcm.ts'
import { PATIENT } from './time.ts'
import * as webpush from './webpush.ts'

// Requests to providers go through the proxy, except to the hosts that are named (operations.md).

/** What differs from the usual: the proxy, and the time limit of pushes in milliseconds. */
interface Given {
  readonly proxy?: HttpsProxy | undefined
  readonly limit?: number
}

/** A provider whose gateway pushes once. */
interface Provider {
  /** HOST:PORT of the provider. */
  readonly host: string
  /** The requests that the provider has received. */
  readonly received: () => number
  readonly push: () => Promise<PushResult>
}

/** Opens each provider; `host` takes the place of 127.0.0.1 in its address. */
const PROVIDERS = {
  fcm: async (t: Test, over: Given, host = '127.0.0.1'): Promise<Provider> => {
    const { fcm: provider } = await fcm.withFcm(t)
    const url = provider.origin.replace('127.0.0.1', host)
    const gateway = openFcm({
      credentials: provider.account,
      url,
      ca: fcm.authority.ca,
      clock: fcm.clock,
      limit: PATIENT,
      ...over,
    })
    t.teardown(gateway.close)
    return {
      host: new URL(url).host,
      received: () => provider.requests.length,
      push: () => gateway.send(fcm.pushTo({ provider: 'fcm', form: 'token', token: 'a' }))(),
    }
  },
  apns: async (t: Test, over: Given, host = '127.0.0.1'): Promise<Provider> => {
    const provider = await apns.openLoopback(t)
    const url = provider.origin.replace('127.0.0.1', host)
    const gateway = openApns(apns.optionsFor(url, over))
    t.teardown(gateway.close)
    return {
      host: new URL(url).host,
      received: () => provider.requests.length,
      push: () => gateway.send(apns.pushTo(apns.DEVICE))(),
    }
  },
  webpush: async (t: Test, over: Given): Promise<Provider> => {
    const { service, send, host } = await webpush.withWebPush(t, over)
    return { host, received: () => service.requests.length, push: () => send() }
  },
}

const AUTHORITIES = { fcm: fcm.authority, apns: apns.authority, webpush: webpush.authority }

const NAMES_OF_PROVIDERS = ['fcm', 'apns', 'webpush'] as const

const proxyFor = async (
  t: Test,
  certificate?: Parameters<typeof openConnectProxy>[0],
): Promise<ConnectProxy> => {
  const proxy = await openConnectProxy(certificate)
  t.teardown(proxy.stop)
  return proxy
}

/** Returns whether a push is sent later: nothing is known of the device. */
const isForLater = ({ _tag }: PushResult): boolean => ['Retry', 'Unanswered'].includes(_tag)

for (const name of NAMES_OF_PROVIDERS) {
  const open = PROVIDERS[name]

  t.test(`proxy: ${name} is reached by a tunnel`, async (t) => {
    const proxy = await proxyFor(t)
    const url = proxy.url.replace('//', '//user:p%40ss@')
    const { host, push, received } = await open(t, { proxy: { url, except: 'example.org' } })
    t.same(await push(), DELIVERED)
    t.same(await push(), DELIVERED)
    t.ok(proxy.asked.length > 0)
    for (const { target, authorization } of proxy.asked) {
      t.equal(target, host)
      t.equal(authorization, `Basic ${Buffer.from('user:p@ss').toString('base64')}`)
    }
    t.equal(received(), 2)
  })

  t.test(`proxy: ${name} is reached directly without a proxy and where the exceptions say so`, async (t) => {
    const { url, asked } = await proxyFor(t)
    for (const given of [
      {},
      ...['example.org,127.0.0.1', '*', '.127.0.0.1'].map((except) => ({ proxy: { url, except } })),
    ]) {
      const { push } = await open(t, given)
      t.same(await push(), DELIVERED, JSON.stringify(given))
      t.equal(asked.length, 0, JSON.stringify(given))
    }
  })

  t.test(`proxy: ${name} is retried while the proxy refuses, is silent or gone, and then sent`, async (t) => {
    const proxy = await proxyFor(t)
    const given = { proxy: { url: proxy.url, except: '' }, limit: 400 }
    const { push, received } = await open(t, given)
    for (const way of [407, 403, 502, 'silence'] as const) {
      proxy.answerBy(way)
      t.ok(isForLater(await push()), String(way))
    }
    t.equal(received(), 0)
    proxy.answerBy(undefined)
    let last = await push()
    // The tunnel that got no answer is given up first, and a busy machine may be late with the next.
    while (last === UNANSWERED) last = await push()
    t.same(last, DELIVERED)
    await proxy.stop()
    const { push: later } = await open(t, given)
    t.ok(isForLater(await later()), 'a proxy that is gone')
  })

  t.test(`proxy: ${name} is reached by a proxy behind TLS`, async (t) => {
    const { url, asked } = await proxyFor(t, await AUTHORITIES[name].leaf())
    const { push } = await open(t, { proxy: { url, except: '' } })
    t.same(await push(), DELIVERED)
    t.ok(asked.length > 0)
  })
}

for (const name of ['fcm', 'apns'] as const)
  t.test(`proxy: the proxy finds the addresses of ${name}`, async (t) => {
    const { url, asked } = await proxyFor(t)
    const { push } = await PROVIDERS[name](t, { proxy: { url, except: '' } }, 'provider.invalid')
    t.same(await push(), DELIVERED)
    t.match(asked.at(-1), { target: /^provider\.invalid:\d+$/ })
  })

t.test('proxy: F5: Web Push keeps to its list of hosts, and its names are found by the proxy', async (t) => {
  const { url, asked } = await proxyFor(t)
  const { service, subscription, clock } = await webpush.withWebPush(t)
  const { port } = new URL(service.origin)
  const gateway = openWebPush({
    vapid: webpush.vapid,
    hosts: [`provider.invalid:${port}` as PushHost],
    clock,
    ca: webpush.authority.ca,
    threads: 0,
    limit: PATIENT,
    proxy: { url, except: '' },
  })
  t.teardown(gateway.close)
  const sendTo = (host: string) => {
    const endpoint = subscription.endpoint.replace(/\/\/[^/]+/, `//${host}`)
    return gateway.send(webpush.pushTo({ ...subscription, endpoint }))()
  }
  t.not((await sendTo(`provider.invalid:${port}`))._tag, 'Refused')
  t.strictSame(
    asked.map(({ target }) => target),
    [`provider.invalid:${port}`],
  )
  t.equal(service.requests.length, 1)
  for (const host of [`other.invalid:${port}`, `127.0.0.1:${port}`, `10.0.0.1:${port}`, 'provider.invalid'])
    t.equal((await sendTo(host))._tag, 'Refused', host)
  t.equal(asked.length, 1, 'the proxy is not asked for other hosts')
})
