import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import {
  DELIVERED,
  holdBack,
  type PushResult,
  refused,
  retry,
  senderError,
  UNANSWERED,
  unregistered,
} from '@almoner/domain/notifications'
import { addMillis, instant } from '@almoner/domain/values'
import {
  cut,
  deferred,
  goAway,
  makeAuthority,
  openWebPush as openService,
  redirect,
  reply,
  replyJson,
  reset,
  webPushFault,
  webPushGone,
  webPushTooMany,
} from '@almoner/push-providers'
import * as contracts from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { openWebPush } from '../src/webpush/open-web-push.ts'
import { OUTCOMES } from '../src/webpush/outcomes.ts'
import { PATIENT } from './time.ts'
import { authority, certificate, messageWith, pushTo, subscriptionAt, vapid, withWebPush } from './webpush.ts'

const again = (word: string): PushResult => retry(O.none, word)
const hold = (word: string, after?: number): PushResult => holdBack(O.fromNullable(after), word)

for (const threads of [0, 2]) {
  const runner: contracts.ContractRunner = (name, body) => {
    t.test(`${name} (${threads} threads)`, async (t) =>
      body({
        same: (actual, expected, message = 'is the same') => t.strictSame(actual, expected, message),
        ok: (value, message = 'holds') => t.ok(value, message),
      }),
    )
  }

  contracts.pushGatewayContract(runner, async (provider) => {
    const service = await openService({ certificate })
    const { host } = new URL(service.origin)
    if (provider === 'gone') await service.stop()
    const clock = { now: () => instant(Date.now()) }
    const gateway = openWebPush({ vapid, hosts: [host], clock, ca: authority.ca, threads, limit: PATIENT })
    const browser = service.subscribe()
    const pushGateway = {
      bytesOf: gateway.bytesOf,
      send: (push: Parameters<typeof gateway.send>[0]) =>
        gateway.send({ ...push, destination: pushTo(browser).destination }),
    }
    return {
      pushGateway,
      close: async () => {
        await gateway.close()
        await service.stop()
      },
    }
  })
}

t.test('G6: the browser reads exactly what was sent, field by field, over HTTP/2', async (t) => {
  const { service, send, subscription, clock } = await withWebPush(t)
  const data = {
    resourceType: 'Library',
    resourceId: 'item-1',
    actionUrl: 'https://example.org/read?a=1',
    visualUrl: 'https://example.org/visual.png',
    iconUrl: 'https://example.org/icon.png',
  }
  const message = messageWith({ title: 'Wells', subtitle: 'Zoë writes', body: 'Line 1\nLine 2', data })
  const endsAt = addMillis(clock.now(), 3_600_000)
  t.same(await send(subscription, { message, endsAt }), DELIVERED)
  const [request] = service.requests
  t.strictSame(JSON.parse(request?.text ?? ''), {
    web_push: 8030,
    notification: {
      title: 'Wells',
      lang: message.data.lang,
      body: 'Zoë writes\nLine 1\nLine 2',
      navigate: data.actionUrl,
      image: data.visualUrl,
      icon: data.iconUrl,
      tag: message.data.notificationId,
      data: { ...message.data },
    },
  })
  t.equal(request?.urgency, 'normal')
  t.match(request?.topic, /^[0-9a-f]{32}$/)
  t.ok(request !== undefined && request.ttl > 3590 && request.ttl <= 3600)
  t.equal(request?.headers['content-encoding'], 'aes128gcm')
  t.equal(request?.headers[':method'], 'POST', 'HTTP/2')
  t.same(await send(subscription, { endsAt: instant(0) }), DELIVERED)
  t.equal(service.requests.at(-1)?.ttl, 0, 'never below zero')
})

t.test('G5: pushes of one notification have the same topic, those of others another', async (t) => {
  const { service, send, subscription } = await withWebPush(t)
  const other = { notificationId: contracts.sampleNotificationId(2) }
  await send()
  await send()
  await send(subscription, other)
  const [first, again, second] = service.requests.map(({ topic }) => topic)
  t.equal(first, again)
  t.not(first, second)
})

t.test('G6: 4,096 bytes are sent, one more is rejected', async (t) => {
  const { service, gateway, send, subscription } = await withWebPush(t)
  const bare = gateway.bytesOf(messageWith({ title: '' }))
  const most = messageWith({ title: 'a'.repeat(4096 - bare) })
  t.equal(gateway.bytesOf(most), 4096)
  t.same(await send(subscription, { message: most }), DELIVERED)
  t.equal(service.requests[0]?.headers['content-length'], '4096')
  t.equal(JSON.parse(service.requests[0]?.text ?? '').notification.title, most.title)
  const message = messageWith({ title: 'a'.repeat(4097 - bare) })
  t.same(await send(subscription, { message }), refused('too long'))
  t.equal(service.requests.length, 1)
})

t.test('G6: what Firefox on Android takes is counted as it is sent', async (t) => {
  const { service, gateway, send, subscription } = await withWebPush(t)
  const bare = gateway.bytesOf(messageWith({ title: '' }))
  for (const bytes of [3070, 3071]) {
    const message = messageWith({ title: 'a'.repeat(bytes - bare) })
    t.same(gateway.smallerLimits?.(message), [{ service: 'firefox-android', bytes, most: 3070 }])
    t.same(await send(subscription, { message }), DELIVERED, 'others take it')
    t.equal(service.requests.at(-1)?.headers['content-length'], String(bytes))
  }
})

t.test('G5: the result of a push depends on the response of the push service', async (t) => {
  const { service, send, subscription, clock } = await withWebPush(t)
  const mozilla = (status: number, errno: number, message = '') =>
    replyJson(status, { code: status, errno, message })
  const mismatch =
    'the VAPID credentials in the authorization header do not correspond to the credentials used to create the subscriptions.'
  const rows = [
    [reply(200), DELIVERED],
    [reply(201), DELIVERED],
    [reply(202), DELIVERED],
    [webPushGone(), unregistered('HTTP 410')],
    [webPushGone(404), unregistered('HTTP 404')],
    [mozilla(404, 102), unregistered('HTTP 404 errno 102')],
    [mozilla(410, 103), unregistered('HTTP 410 errno 103')],
    [mozilla(410, 105), unregistered('HTTP 410 errno 105')],
    [mozilla(410, 106), unregistered('HTTP 410 errno 106')],
    [webPushTooMany(120), hold('HTTP 429', 120_000)],
    [webPushTooMany(), hold('HTTP 429')],
    [webPushTooMany(5, 406), hold('HTTP 406', 5000)],
    [webPushTooMany(undefined, 406), hold('HTTP 406')],
    [webPushTooMany(new Date(clock.now() - 60_000)), hold('HTTP 429', 0)],
    [webPushFault(500), again('HTTP 500')],
    [webPushFault(502), again('HTTP 502')],
    [webPushFault(502, 9), hold('HTTP 502', 9000)],
    [webPushFault(503, 5), hold('HTTP 503', 5000)],
    [mozilla(503, 201), hold('HTTP 503 errno 201')],
    [webPushFault(504), again('HTTP 504')],
    [reply(408), again('HTTP 408')],
    [reply(425), again('HTTP 425')],
    [reply(413), refused('HTTP 413')],
    [mozilla(413, 104), refused('HTTP 413 errno 104')],
    [mozilla(400, 101), refused('HTTP 400 errno 101')],
    [mozilla(400, 110), refused('HTTP 400 errno 110')],
    [mozilla(400, 111), refused('HTTP 400 errno 111')],
    [mozilla(401, 109, 'VAPID public key mismatch'), refused('HTTP 401 errno 109')],
    [replyJson(400, { reason: 'VapidPkHashMismatch' }), refused('HTTP 400 VapidPkHashMismatch')],
    [replyJson(403, { reason: 'VapidPkHashMismatch' }), refused('HTTP 403 VapidPkHashMismatch')],
    [replyJson(403, { reason: 'BadJwtToken' }), senderError('HTTP 403 BadJwtToken')],
    [reply(403, {}, mismatch), refused('HTTP 403')],
    [reply(400, {}, '<TITLE>UnauthorizedRegistration</TITLE>'), refused('HTTP 400')],
    [reply(400), refused('HTTP 400')],
    [reply(405), refused('HTTP 405')],
    [reply(418), refused('HTTP 418')],
  ] as const
  for (const [answer, result] of rows) {
    service.next(subscription.endpoint, answer)
    t.strictSame(await send(), result, JSON.stringify(answer))
  }
})

t.test('a reason has a short word of the push service: no endpoint, key or text', async (t) => {
  const { service, send, subscription } = await withWebPush(t)
  const { endpoint, keys } = subscription
  const told = JSON.stringify(subscription)
  const rows = [
    [replyJson(410, { reason: endpoint, message: told }), unregistered('HTTP 410')],
    [replyJson(404, { errno: endpoint, error: endpoint }), unregistered('HTTP 404')],
    [replyJson(400, { errno: 110, reason: keys.p256dh, message: told }), refused('HTTP 400 errno 110')],
    [replyJson(403, { reason: `BadJwtToken ${endpoint}` }), senderError('HTTP 403')],
    [reply(413, {}, `{"reason":"PayloadTooLarge"} ${told}`), refused('HTTP 413 PayloadTooLarge')],
    [reply(400, {}, '{"reason":"a_segment_of_the_endpoint"}'), refused('HTTP 400')],
    [reply(503, {}, told), hold('HTTP 503')],
  ] as const
  for (const [answer, result] of rows) {
    service.next(endpoint, answer)
    t.strictSame(await send(), result, JSON.stringify(answer))
  }
})

t.test('G15: what Windows says in its headers counts, and is logged', async (t) => {
  const { service, send, subscription } = await withWebPush(t)
  const { endpoint } = subscription
  const wns = (status: number, headers: Readonly<Record<string, string>>) => reply(status, headers)
  const rows = [
    [wns(201, { 'x-wns-status': 'received' }), DELIVERED],
    [wns(200, { 'x-wns-notificationstatus': 'received', 'x-wns-status': 'received' }), DELIVERED],
    [wns(200, { 'x-wns-status': 'dropped' }), refused('HTTP 200 dropped')],
    [wns(201, { 'x-wns-notificationstatus': 'Dropped' }), refused('HTTP 201 dropped')],
    [wns(200, { 'x-wns-status': 'channelthrottled' }), again('HTTP 200 channelthrottled')],
    [
      wns(406, { 'x-wns-status': 'channelthrottled', 'retry-after': '9' }),
      retry(O.some(9000), 'HTTP 406 channelthrottled'),
    ],
    [wns(410, { 'x-wns-status': 'dropped' }), unregistered('HTTP 410 dropped')],
    [
      wns(400, { 'x-wns-error-description': 'The notification payload is malformed.' }),
      refused('HTTP 400 The notification payload is malformed.'),
    ],
    [wns(403, { 'x-wns-error-description': endpoint }), senderError('HTTP 403')],
    [wns(400, { 'x-wns-error-description': `the token ${'a'.repeat(30)} is bad` }), refused('HTTP 400')],
    [wns(200, { 'x-wns-status': endpoint }), DELIVERED],
  ] as const
  for (const [answer, result] of rows) {
    service.next(endpoint, answer)
    t.strictSame(await send(), result, JSON.stringify(answer))
  }
})

t.test('G5: every row of the table cites its source', async (t) => {
  for (const { source } of OUTCOMES) t.match(source, /^https:\/\//)
})

t.test('redirects are not followed', async (t) => {
  const { service, send, subscription } = await withWebPush(t)
  const rows = [
    [301, refused],
    [302, again],
    [303, again],
    [307, again],
    [308, refused],
  ] as const
  for (const [status, result] of rows) {
    service.next(subscription.endpoint, redirect(`${service.origin}/elsewhere`, status))
    t.strictSame(await send(), result(`HTTP ${status}`))
  }
  t.ok(service.requests.every(({ token }) => token === subscription.endpoint))
  t.equal(service.requests.length, rows.length)
})

t.test('a broken connection is a retry, and the next push opens a new one', async (t) => {
  const { service, send, subscription } = await withWebPush(t)
  t.same(await send(), DELIVERED)
  for (const answer of [reset(), cut()]) {
    service.next(subscription.endpoint, answer)
    t.strictSame(await send(), UNANSWERED, answer.kind)
    t.same(await send(), DELIVERED)
  }
  service.next(subscription.endpoint, goAway())
  t.match(await send(), { _tag: /Delivered|Retry/ }, 'unprocessed pushes may be sent again')
  t.same(await send(), DELIVERED)
})

t.test('after GOAWAY earlier pushes still get their responses', async (t) => {
  const { service, send, subscription } = await withWebPush(t)
  const slow = deferred(reply(201))
  const leave = deferred(goAway())
  service.next(subscription.endpoint, slow.answer, leave.answer)
  const earlier = send()
  await slow.arrived
  const later = send()
  await leave.arrived
  leave.release()
  slow.release()
  t.same(await earlier, DELIVERED)
  t.match(await later, { _tag: /Delivered|Retry/ })
  t.same(await send(), DELIVERED)
})

t.test('a push service that was down for a while is found again at its address', async (t) => {
  const { service, send } = await withWebPush(t)
  t.same(await send(), DELIVERED)
  await service.stop()
  t.strictSame(await send(), UNANSWERED)
  await service.start()
  t.same(await send(), DELIVERED)
})

t.test('many pushes at once share a connection', async (t) => {
  const { service, send } = await withWebPush(t)
  const results = await Promise.all(Array.from({ length: 100 }, () => send()))
  t.ok(results.every(({ _tag }) => _tag === 'Delivered'))
  t.equal(service.connections(), 1)
})

t.test('a push service with HTTP/1.1 only is supported, and an endless response is cut off', async (t) => {
  const versions: Array<string> = []
  const server = createServer(certificate, (request, response) => {
    versions.push(request.httpVersion)
    response.writeHead(429, { 'retry-after': '7' })
    response.write('a'.repeat(10_000))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const clock = { now: () => instant(Date.now()) }
  const given = { vapid, hosts: [origin], clock, ca: authority.ca, threads: 0, limit: PATIENT }
  const gateway = openWebPush(given)
  t.teardown(async () => {
    await gateway.close()
    server.close()
  })
  const push = pushTo(subscriptionAt(`https://${origin}/push`))
  t.strictSame(await gateway.send(push)(), hold('HTTP 429', 7000))
  t.strictSame(versions, ['1.1'])
})

t.test('closing waits for pushes in flight, and accepts no more', async (t) => {
  const { service, gateway, send, subscription } = await withWebPush(t)
  const slow = deferred(reply(201))
  service.next(subscription.endpoint, slow.answer)
  const waiting = send()
  await slow.arrived
  const closed = gateway.close()
  slow.release()
  t.same(await waiting, DELIVERED)
  await closed
  t.strictSame(await send(), retry())
})

t.test('a server with an invalid certificate gets nothing', async (t) => {
  const { ca } = authority
  const rows = [
    { certificate, trust: { ca: (await makeAuthority()).ca } },
    { certificate, trust: {} },
    { certificate: await authority.expiredLeaf(), trust: { ca } },
    { certificate: await authority.leafForAnotherHost(), trust: { ca } },
  ]
  for (const { certificate, trust } of rows) {
    const service = await openService({ certificate })
    const hosts = [new URL(service.origin).host]
    const clock = { now: () => instant(Date.now()) }
    const gateway = openWebPush({ vapid, hosts, clock, threads: 0, limit: PATIENT, ...trust })
    t.teardown(async () => {
      await gateway.close()
      await service.stop()
    })
    t.strictSame(await gateway.send(pushTo(service.subscribe()))(), UNANSWERED)
    t.equal(service.requests.length, 0)
  }
})

t.test('a subscription with unusable keys is rejected, not dead', async (t) => {
  const { service, send, subscription } = await withWebPush(t)
  const { p256dh, auth } = subscription.keys
  const rows = [
    { p256dh: '', auth },
    { p256dh: 'BBBB', auth },
    { p256dh: `B${'A'.repeat(86)}`, auth },
    { p256dh, auth: '' },
    { p256dh, auth: 'c2hvcnQ' },
  ]
  const result = refused('keys that nothing can be encrypted with')
  for (const keys of rows) t.strictSame(await send({ ...subscription, keys }), result)
  t.equal(service.requests.length, 0)
})
