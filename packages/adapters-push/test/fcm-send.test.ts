import { REFUSED, refused, senderError, unregistered } from '@almoner/domain/notifications'
import { instant } from '@almoner/domain/values'
import { deferred, fcmError, messageTooBig, permissionDenied } from '@almoner/push-providers'
import * as contracts from '@almoner/testkit/contracts'
import t from 'tap'
import { pushTo, withFcm } from './fcm.ts'

const runner: contracts.ContractRunner = (name, body) => {
  t.test(name, async (t) =>
    body({
      same: (actual, expected, message = 'is the same') => t.strictSame(actual, expected, message),
      ok: (value, message = 'holds') => t.ok(value, message),
    }),
  )
}

contracts.pushGatewayContract(runner, async (provider) => {
  const { fcm, gateway } = await withFcm(t)
  if (provider === 'gone') await fcm.stop()
  return { pushGateway: gateway, close: gateway.close }
})

t.test('G6: a push reaches FCM field by field, for a token and for an installation id', async (t) => {
  const now = instant(1_700_000_000_000)
  const { fcm, gateway, push } = await withFcm(t, { clock: { now: () => now } })
  const endsAt = instant(now + 3_600_000)
  t.strictSame(await push('a:APA91b', { endsAt }), { _tag: 'Delivered' })
  const fid = 'cAAAAAAAAAAAAAAAAAAAAA'
  t.strictSame(await gateway.send(pushTo({ provider: 'fcm', form: 'fid', token: fid }, { endsAt }))(), {
    _tag: 'Delivered',
  })
  const [byToken, byFid] = fcm.requests.map(
    ({ body }) => (body as { message: Record<string, unknown> }).message,
  )
  const { message, notificationId } = contracts.samplePush(1)
  t.match(byToken, {
    token: 'a:APA91b',
    notification: { title: message.title },
    data: message.data,
    android: { ttl: '3600s', collapse_key: notificationId, notification: { tag: notificationId } },
    apns: { headers: { 'apns-expiration': '1700003600', 'apns-collapse-id': notificationId } },
    webpush: { headers: { TTL: '3600' }, notification: { tag: notificationId } },
  })
  t.ok(Object.values(byToken?.['data'] ?? {}).every((value) => typeof value === 'string'))
  t.equal(byFid?.['fid'], fid)
  t.notOk('token' in (byFid ?? {}))
  t.equal(fcm.requests[0]?.project, fcm.account.project_id, 'the project of the credentials')
  t.equal(fcm.requests[0]?.headers['content-type'], 'application/json')
})

t.test('G6: a message of the maximum size is accepted, to the last byte', async (t) => {
  const { gateway, push } = await withFcm(t)
  const { message } = contracts.samplePush(1)
  const bytes = gateway.bytesOf(message)
  const longest = { ...message, title: message.title + 'é'.repeat(Math.floor((4096 - bytes) / 2)) }
  t.ok(gateway.bytesOf(longest) >= 4095 && gateway.bytesOf(longest) <= 4096)
  t.strictSame(await push('a', { message: longest }), { _tag: 'Delivered' })
  const tooLong = { ...message, title: 'é'.repeat(2048) }
  t.strictSame(await push('a', { message: tooLong }), refused('INVALID_ARGUMENT'))
})

t.test('a push for another provider is rejected here', async (t) => {
  const { fcm, gateway } = await withFcm(t)
  const result = await gateway.send(pushTo({ provider: 'apns', sandbox: false, token: 'ab' }))()
  t.strictSame(result, REFUSED)
  t.equal(fcm.requests.length, 0)
})

t.test('check validates a message with FCM without sending it', async (t) => {
  const { fcm, gateway } = await withFcm(t)
  t.strictSame(await gateway.check(), { _tag: 'Delivered' })
  t.match(fcm.requests[0]?.body, { validate_only: true })
  fcm.otherwise(permissionDenied('loopback-project'))
  t.strictSame(await gateway.check(), senderError('PERMISSION_DENIED'))
  await fcm.stop()
  t.match(await gateway.check(), { _tag: 'Retry' })
})

t.test('G5: a thousand concurrent pushes use few connections, all with HTTP/2', async (t) => {
  const { fcm, push } = await withFcm(t)
  const slow = deferred(fcmError('UNREGISTERED'))
  fcm.next('slow', slow.answer)
  const first = push('slow')
  await slow.arrived
  const results = await Promise.all(Array.from({ length: 1000 }, (_, n) => push(`device-${n}`)))
  t.ok(results.every(({ _tag }) => _tag === 'Delivered'))
  slow.release()
  t.strictSame(await first, unregistered('UNREGISTERED'), 'a slow one delays no others')
  t.equal(new Set(fcm.requests.map(({ token }) => token)).size, 1001)
  t.equal(fcm.requests.length, 1001, 'each once')
  t.ok(fcm.requests.every(({ headers }) => headers[':path'] !== undefined))
  t.ok(fcm.connections() <= 11, `${fcm.connections()} connections`)
  t.equal(fcm.oauth.requests.length, 1, 'one access token for all pushes')
})

t.test('close waits for pushes in flight; later pushes get Retry', async (t) => {
  const { fcm, gateway, push } = await withFcm(t)
  const slow = deferred(messageTooBig())
  fcm.next('slow', slow.answer)
  const waiting = push('slow')
  await slow.arrived
  const closed = gateway.close()
  slow.release()
  t.strictSame(await waiting, refused('INVALID_ARGUMENT'))
  await closed
  t.match(await push('later'), { _tag: 'Retry' })
  await gateway.close()
})
