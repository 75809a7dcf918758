import {
  BROWSER_PUSH_HOSTS,
  type DeviceToken,
  destinationOf,
  deviceKeys,
  isPushHost,
  mayPushTo,
  PROVIDERS,
  recognise,
  reservedContactHost,
} from '@almoner/domain/people'
import { seeded, spellDevices } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import t from 'tap'

const subscription = { endpoint: 'https://push.example.org/s/1', keys: { p256dh: 'BPk', auth: 'tBH' } }
const hex = (length: number) => 'a1'.repeat(length / 2)
const fid = 'cDn3Xq9-_aB0123456789z'

t.test('F5: a prefix decides the provider', async (t) => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (rest) => {
      t.strictSame(recognise(`fcm:${rest}`), { provider: 'fcm', form: 'token', token: rest })
      t.strictSame(recognise(`fid:${rest}`), { provider: 'fcm', form: 'fid', token: rest })
      t.strictSame(recognise(`apns:${rest}`), { provider: 'apns', sandbox: false, token: rest })
      t.strictSame(recognise(`apns-sandbox:${rest}`), { provider: 'apns', sandbox: true, token: rest })
    }),
    { numRuns: 50 },
  )
  t.strictSame(recognise(`webpush:${JSON.stringify(subscription)}`), { provider: 'webpush', subscription })
  t.equal(recognise('webpush:nonsense', 'fcm'), undefined, 'the default does not override a prefix')
  for (const bare of ['fcm:', 'fid:', 'apns:', 'apns-sandbox:', 'webpush:'])
    t.equal(recognise(bare, 'fcm'), undefined, `nothing can be sent to ${bare}`)
})

t.test('F5: JSON with an https endpoint and both keys is Web Push', async (t) => {
  t.strictSame(recognise(JSON.stringify({ ...subscription, expirationTime: null })), {
    provider: 'webpush',
    subscription,
  })
  for (const other of [
    { ...subscription, endpoint: 'http://push.example.org/' },
    { ...subscription, endpoint: 7 },
    { endpoint: subscription.endpoint },
    { ...subscription, keys: { auth: 'x' } },
  ])
    t.equal(recognise(JSON.stringify(other)), undefined)
})

t.test('F5: an even number of 64 to 200 hex digits is APNs', async (t) => {
  for (const length of [64, 128, 200])
    t.strictSame(recognise(hex(length)), { provider: 'apns', sandbox: false, token: hex(length) })
  for (const token of [hex(62), hex(202), `${hex(64)}a`, `${hex(64)}zz`]) t.equal(recognise(token), undefined)
})

t.test('F5: 22 characters in the form of a Firebase installation id are an FCM fid', async (t) => {
  t.strictSame(recognise(fid), { provider: 'fcm', form: 'fid', token: fid })
  for (const token of [`a${fid.slice(1)}`, `${fid}x`, fid.slice(1), `${fid.slice(1)}!`])
    t.equal(recognise(token), undefined)
})

t.test('F5: …:APA91b… and APA91b… are FCM tokens', async (t) => {
  for (const token of [`${fid}:APA91bHx`, 'APA91bHx_-9'])
    t.strictSame(recognise(token), { provider: 'fcm', form: 'token', token })
  t.equal(recognise('xAPA91b'), undefined)
})

t.test('F5: any other token goes to the configured default, or is unroutable', async (t) => {
  t.equal(recognise('what is this'), undefined)
  t.strictSame(recognise('what is this', 'fcm'), { provider: 'fcm', form: 'token', token: 'what is this' })
  t.strictSame(recognise('what is this', 'apns'), { provider: 'apns', sandbox: false, token: 'what is this' })
})

t.test('F5: the order is: prefix, JSON, hex digits, the forms of Firebase', async (t) => {
  t.match(recognise(`fcm:${hex(64)}`), { provider: 'fcm', form: 'token' })
  t.match(recognise(`apns:${fid}`), { provider: 'apns' })
  t.match(recognise(`apns:${JSON.stringify(subscription)}`), { provider: 'apns' })
  t.match(recognise(` \n${JSON.stringify(subscription, null, 2)}\n`), { provider: 'webpush', subscription })
  t.match(recognise(`${hex(64)}:APA91b`), { provider: 'fcm', form: 'token' })
  t.match(recognise(`FCM:x`, 'apns'), { provider: 'apns', token: 'FCM:x' }, 'a prefix is in lower case')
})

t.test('F5: a device keeps its recorded provider when the default changes', async (t) => {
  t.match(destinationOf('what is this' as DeviceToken, 'fcm'), { provider: 'fcm', token: 'what is this' })
  t.match(destinationOf('what is this' as DeviceToken, 'apns'), { provider: 'apns', token: 'what is this' })
  t.match(destinationOf(JSON.stringify(subscription) as DeviceToken, 'webpush'), {
    provider: 'webpush',
    subscription,
  })
})

t.test('F5: nothing is sent to a device that was recorded as unroutable or as another kind', async (t) => {
  for (const kind of ['unroutable', 'webpush'] as const)
    t.equal(destinationOf('what is this' as DeviceToken, kind), undefined)
  t.equal(destinationOf(`apns:${hex(64)}` as DeviceToken, 'unroutable'), undefined)
  t.equal(destinationOf(hex(64) as DeviceToken, 'fcm'), undefined)
  fc.assert(
    fc.property(fc.string(), fc.constantFrom(...PROVIDERS, 'unroutable' as const), (token, kind) => {
      const destination = destinationOf(token as DeviceToken, kind)
      return destination === undefined || destination.provider === kind
    }),
  )
})

const mayPush = (allowed: ReadonlyArray<string>, endpoints: ReadonlyArray<string>) =>
  endpoints.filter(mayPushTo(allowed))

t.test('F5: an endpoint’s host must be on the allow-list; `*.host` allows all hosts below it', async (t) => {
  const good = ['https://push.example.org/1', 'https://PUSH.example.org:443/1', 'https://push.example.org']
  t.same(mayPush(['push.example.org'], good), good)
  const below = ['https://a.example.org/1', 'https://a.b.example.org/1']
  t.same(mayPush(['*.example.org'], below), below)
  t.same(
    mayPush(['push.example.org', '*.example.net'], ['https://a.example.net/', 'https://push.example.org/'])
      .length,
    2,
  )
  t.same(
    mayPush(
      ['push.example.org', '*.example.net'],
      [
        'https://example.org/',
        'https://a.push.example.org/',
        'https://push.example.org.evil.example/',
        'https://evil-push.example.org/',
        'https://example.net/',
        'https://evilexample.net/',
        'https://push.example.org./',
        'https://xn--push-example.org/',
      ],
    ),
    [],
  )
  t.same(mayPush([], good), [])
})

t.test('F5: an entry without a port allows 443, one with a port only that port', async (t) => {
  t.same(mayPush(['a.example'], ['https://a.example:8443/', 'https://a.example/']), ['https://a.example/'])
  t.same(mayPush(['a.example:8443'], ['https://a.example:8443/', 'https://a.example/']), [
    'https://a.example:8443/',
  ])
  t.same(mayPush(['*.example:8443'], ['https://a.example:8443/', 'https://b.example/']), [
    'https://a.example:8443/',
  ])
  t.same(mayPush(['a.example:443'], ['https://a.example/']), ['https://a.example/'])
})

t.test('F5: loopback in any spelling is refused unless it is listed', async (t) => {
  const loopback = [
    'https://localhost/',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://localhost:8443/',
  ]
  t.same(mayPush(BROWSER_PUSH_HOSTS, loopback), [])
  t.same(mayPush(['localhost:8443'], loopback), ['https://localhost:8443/'])
  t.same(mayPush(['[::1]'], loopback), ['https://[::1]/'])
  t.same(mayPush(['127.0.0.1'], loopback).length, 4, 'one address in four spellings')
})

t.test('F5: a user name in an endpoint does not disguise its host', async (t) => {
  const allowed = ['fcm.googleapis.com']
  t.same(
    mayPush(allowed, [
      'https://fcm.googleapis.com@evil.example/',
      'https://fcm.googleapis.com:443@evil.example/',
      'https://evil.example/fcm.googleapis.com',
      'https://evil.example?https://fcm.googleapis.com',
      'https://evil.example#@fcm.googleapis.com',
      'https://evil.example\\@fcm.googleapis.com',
    ]),
    [],
  )
})

t.test('F5: the browsers’ push services are allowed by default', async (t) => {
  const real = [
    'https://fcm.googleapis.com/fcm/send/abc:APA91b',
    'https://updates.push.services.mozilla.com/wpush/v2/gAAA',
    'https://wns2-am3p.notify.windows.com/w/?token=BQ',
    'https://web.push.apple.com/QGx',
  ]
  t.same(mayPush(BROWSER_PUSH_HOSTS, real), real)
  t.ok(BROWSER_PUSH_HOSTS.every(isPushHost))
})

t.test('F5: entries of the allow-list are `host` and `*.host`, each with an optional port', async (t) => {
  const good = [
    'a',
    'a.example',
    '*.a.example',
    'a.example:1',
    '*.a.example:65535',
    '[::1]',
    '[::1]:8443',
    '10.0.0.1',
  ]
  t.same(good.filter(isPushHost), good)
  const bad = [
    '',
    '*',
    '*.',
    'https://a',
    'a/',
    'a:',
    'a:x',
    'A.example',
    'a..b',
    '.a',
    'a.',
    '*a',
    'a.*.b',
    'a b',
    '-a',
    '::1',
  ]
  t.same(bad.filter(isPushHost), [])
})

t.test('F1: a contact under a domain that Apple refuses is found, for a warning at the start', async (t) => {
  const hosts = fc.stringMatching(/^[a-z]{1,8}(?:\.[a-z]{1,8})?$/)
  const reserved = fc.constantFrom('local', 'localhost', 'invalid', 'test', 'example', 'LOCAL', 'Invalid')
  fc.assert(
    fc.property(hosts, reserved, fc.constantFrom('', '/push', '?subject=push'), (host, domain, rest) => {
      const under = [`${host}.${domain}`, domain]
      return under.every(
        (one) =>
          reservedContactHost(`mailto:push@${one}`) !== undefined &&
          reservedContactHost(`https://${one}${rest}`) !== undefined &&
          reservedContactHost(`mailto:push@${one}.org`) === undefined &&
          reservedContactHost(`https://${one}.org${rest}`) === undefined,
      )
    }),
  )
  t.equal(reservedContactHost('mailto:push@my-invalid.org'), undefined)
  t.equal(reservedContactHost('https://notlocal.fr/local'), undefined)
})

t.test('F4: a device is identified by its destination, for every text that leads there', async () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const all = spellDevices(seeded(seed), 8)
      const identities = all.map(
        ({ kind, texts }) => new Set(texts.map((token) => deviceKeys({ token, kind }).identity)),
      )
      const isOne = identities.every(({ size }) => size === 1)
      return isOne && new Set(identities.flatMap((one) => [...one])).size === all.length
    }),
  )
})

t.test('F4: other destinations are other devices', async (t) => {
  const token = hex(64)
  const webpush = (endpoint: string, keys = subscription.keys) => JSON.stringify({ endpoint, keys })
  const texts = [
    ...[`apns:${token}`, `apns-sandbox:${token}`, `fcm:${token}`, `fid:${token}`, `apns:${token}00`],
    ...['fcm:x:APA91bAbc', 'fcm:x:APA91babc', `webpush:${token}`, 'a text', 'A text'],
    ...['https://a.example/1', 'https://a.example/2', 'https://a.example/1?x', 'https://b.example/1'].map(
      (endpoint) => webpush(endpoint),
    ),
    webpush('https://a.example:444/1'),
  ]
  const keys = texts.map((text) => {
    const kind = recognise(text)?.provider ?? 'unroutable'
    return deviceKeys({ token: text as DeviceToken, kind }).identity
  })
  t.equal(new Set(keys).size, texts.length)
  const other = webpush('https://a.example/1', { p256dh: 'other', auth: 'other' })
  t.equal(
    deviceKeys({ token: other as DeviceToken, kind: 'webpush' }).identity,
    deviceKeys({ token: webpush('https://a.example/1') as DeviceToken, kind: 'webpush' }).identity,
    'keys are no part of where it is',
  )
})
