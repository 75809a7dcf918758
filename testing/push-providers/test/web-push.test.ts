import t, { type Test } from 'tap'
import {
  makeAuthority,
  makeVapidKeys,
  openWebPush,
  redirect,
  reply,
  type Subscription,
  webPushFault,
  webPushGone,
  webPushTooMany,
} from '../src/index.ts'
import { type Asked, ask, askHttp1, dial } from './clients.ts'
import { encrypt } from './encrypt.ts'
import { seconds, vapidOf } from './tokens.ts'

const authority = await makeAuthority()
const keys = makeVapidKeys()

const withWebPush = async (t: Test) => {
  const webPush = await openWebPush({ certificate: await authority.leaf() })
  const session = await dial(webPush.origin, authority.ca)
  t.teardown(async () => {
    session.destroy()
    await webPush.stop()
  })
  const subscription = webPush.subscribe(keys.publicKey)
  const headersOf = (): Readonly<Record<string, string>> => ({
    authorization: vapidOf(keys, webPush.origin),
    ttl: '60',
    'content-encoding': 'aes128gcm',
  })
  const asked = (to: Subscription, more: Readonly<Record<string, string>>, rest: Partial<Asked>): Asked => ({
    path: new URL(to.endpoint).pathname,
    headers: { ...headersOf(), ...more },
    body: encrypt(to, 'Hello, Zoë'),
    ...rest,
  })
  const send = (more: Readonly<Record<string, string>> = {}, rest: Partial<Asked> = {}, to = subscription) =>
    ask(session, asked(to, more, rest))
  return { webPush, subscription, asked, send, headersOf }
}

t.test('a push service accepts a message and the browser reads it, over HTTP/2 and HTTP/1.1', async (t) => {
  const { webPush, subscription, asked, send } = await withWebPush(t)
  t.match(JSON.parse(JSON.stringify(subscription)), {
    endpoint: /^https:\/\/127\.0\.0\.1:\d+\/push\/[\w-]{22}$/,
    keys: { p256dh: /^B[\w-]{86}$/, auth: /^[\w-]{22}$/ },
  })
  const given = await send({ topic: 'n-1', urgency: 'high' })
  t.equal(given.status, 201)
  t.equal(given.headers['ttl'], '60')
  t.match(given.headers.location, new RegExp(`^${webPush.origin}/message/`))
  const { status } = await askHttp1(webPush.origin, authority.ca, asked(subscription, {}, {}))
  t.equal(status, 201)
  const [first, second] = webPush.requests
  t.match(first, { token: subscription.endpoint, text: 'Hello, Zoë', topic: 'n-1', urgency: 'high', ttl: 60 })
  t.match(second, { text: 'Hello, Zoë', topic: undefined, urgency: undefined })
})

t.test('a push service accepts a message that the browser cannot read, without noticing', async (t) => {
  const { webPush, subscription, send } = await withWebPush(t)
  const stranger = webPush.subscribe()
  t.equal((await send({}, { body: encrypt(stranger, 'for somebody else') })).status, 201)
  t.equal((await send({}, { body: encrypt(subscription, 'padded', 100) })).status, 201)
  t.strictSame(
    webPush.requests.map(({ text }) => text),
    [undefined, 'padded'],
  )
})

t.test(
  'RFC 8292: senders must identify themselves correctly, with the key of the subscription',
  async (t) => {
    const { webPush, send } = await withWebPush(t)
    const { origin } = webPush
    const swapped = vapidOf(keys, origin).replace(/k=.*/, `k=${makeVapidKeys().publicKey}`)
    const rows = [
      ['', 401],
      ['WebPush abc', 401],
      ['vapid t=a, k=b', 403],
      [swapped, 403],
      [vapidOf(keys, 'https://else.example'), 403],
      [vapidOf(keys, origin, { exp: seconds() - 1 }), 403],
      [vapidOf(keys, origin, { exp: seconds() + 90_000 }), 403],
      [vapidOf(keys, origin, { sub: undefined }), 403],
      [vapidOf(keys, origin, { sub: 'mailto:a@localhost' }), 403],
      [vapidOf(makeVapidKeys(), origin), 403],
    ] as const
    for (const [authorization, status] of rows) t.equal((await send({ authorization })).status, status)
    const other = { authorization: vapidOf(makeVapidKeys(), origin, { sub: 'https://example.org/push' }) }
    t.equal((await send(other, {}, webPush.subscribe())).status, 201, 'a subscription without a key')
  },
)

t.test('RFC 8030: headers and size', async (t) => {
  const { subscription, headersOf, send } = await withWebPush(t)
  const { ttl: _ttl, ...withoutTtl } = headersOf()
  t.equal((await send({}, { headers: withoutTtl })).status, 400)
  t.equal((await send({ ttl: 'soon' })).status, 400)
  t.equal((await send({ topic: 'a'.repeat(33) })).status, 400)
  t.equal((await send({ topic: 'a b' })).status, 400)
  t.equal((await send({ urgency: 'now' })).status, 400)
  t.equal((await send({ 'content-encoding': 'aesgcm' })).status, 400)
  t.equal((await send({}, { body: encrypt(subscription, 'a'.repeat(3994)) })).status, 413)
  t.equal((await send({}, { body: encrypt(subscription, 'a'.repeat(3993)) })).status, 201, '4,096 bytes')
  t.equal((await send({}, { body: '' })).status, 201, 'an empty message')
  t.equal((await send({}, { method: 'PUT' })).status, 405)
})

t.test('a push service can be scripted to return anything', async (t) => {
  const { webPush, subscription, send } = await withWebPush(t)
  const at = new Date(1_800_000_000_000)
  webPush.next(
    subscription.endpoint,
    webPushGone(),
    webPushGone(404),
    webPushTooMany(120),
    webPushTooMany(at),
    webPushTooMany(undefined, 406),
    webPushFault(500),
    webPushFault(503, 5),
    reply(400),
    reply(401),
    reply(403),
  )
  const statuses = [410, 404, 429, 429, 406, 500, 503, 400, 401, 403]
  const waits = [undefined, undefined, '120', at.toUTCString(), undefined, undefined, '5']
  for (const [place, status] of statuses.entries()) {
    const given = await send()
    t.equal(given.status, status)
    t.equal(given.headers['retry-after'], waits[place])
  }
  t.equal((await send()).status, 201)
})

t.test('a redirect has a location, and requests to it are recorded', async (t) => {
  const { webPush, subscription, send } = await withWebPush(t)
  const elsewhere = `${webPush.origin}/elsewhere`
  for (const status of [301, 302, 303, 307, 308] as const) {
    webPush.next(subscription.endpoint, redirect(elsewhere, status))
    t.match(await send(), { status, headers: { location: elsewhere } })
  }
  t.equal((await send({}, { path: '/elsewhere' })).status, 404)
  t.equal(webPush.requests.at(-1)?.token, elsewhere)
})
