import t from 'tap'
import { badGateway, type FcmErrorCode, fcmError, messageTooBig, permissionDenied } from '../src/index.ts'
import { askHttp1 } from './clients.ts'
import { withFcm } from './fcm.ts'

t.test('FCM accepts a message for each kind of target, over HTTP/2 and HTTP/1.1', async (t) => {
  const { fcm, ca, accessToken, send } = await withFcm(t)
  for (const target of ['token', 'fid', 'topic', 'condition']) {
    const { status, json } = await send({ [target]: `a ${target}`, notification: { title: 'T' } })
    t.equal(status, 200)
    t.match(json['name'], /^projects\/loopback-project\/messages\/0:[0-9a-f]{16}$/)
  }
  const body = JSON.stringify({ message: { token: 'by http/1.1' } })
  const path = `/v1/projects/${fcm.account.project_id}/messages:send`
  const headers = { authorization: `Bearer ${accessToken}` }
  t.equal((await askHttp1(fcm.origin, ca, { path, headers, body })).status, 200)
  t.strictSame(
    fcm.requests.map(({ token }) => token),
    ['a token', 'a fid', 'a topic', 'a condition', 'by http/1.1'],
  )
  t.match(fcm.requests[0]?.body, { message: { notification: { title: 'T' } } })
})

t.test('with validate_only FCM only checks a message', async (t) => {
  const { send } = await withFcm(t)
  t.match((await send({ token: 'a' }, {}, { validate_only: true })).json, { name: /\/fake_message_id$/ })
})

t.test('FCM requires an access token for the project', async (t) => {
  const { accessToken, send } = await withFcm(t)
  for (const authorization of ['', 'Bearer else', `Basic ${accessToken}`]) {
    const { status, headers, json } = await send({ token: 'a' }, { headers: { authorization } })
    t.equal(status, 401)
    t.match(headers['www-authenticate'], /^Bearer /)
    t.match(json, { error: { code: 401, status: 'UNAUTHENTICATED' } })
  }
  const elsewhere = await send({ token: 'a' }, { path: '/v1/projects/else/messages:send' })
  t.match(elsewhere, { status: 403, json: { error: { status: 'PERMISSION_DENIED' } } })
})

t.test('FCM rejects a wrong message, and names the field', async (t) => {
  const { fcm, send } = await withFcm(t)
  const token = 'a'
  const rows: ReadonlyArray<readonly [unknown, RegExp]> = [
    [{ notification: { title: 'T' } }, /Recipient of the message is not set/],
    [{ token, topic: 'b' }, /oneof/],
    [{ token, fid: 'b' }, /oneof/],
    [{ token: '' }, /not a valid FCM registration token/],
    [{ token, title: 'T' }, /Unknown name "title" at 'message'/],
    [{ token, notification: { subtitle: 'T' } }, /Unknown name "subtitle"/],
    [{ token, android: { sound: 'T' } }, /Unknown name "sound" at 'message.android'/],
    [{ token, data: { count: 12 } }, /Invalid value at 'message.data\[0\].value' \(TYPE_STRING\), 12/],
    [{ token, data: { from: 'a' } }, /Invalid data payload key: from/],
    [{ token, data: { 'google.a': 'a' } }, /Invalid data payload key/],
    [{ token, android: { ttl: '86400' } }, /android\.ttl/],
    [{ token, android: { ttl: '2419201s' } }, /android\.ttl/],
    [{ token, android: { priority: 'most' } }, /android\.priority/],
    [{ token, android: { notification: { color: 'blue' } } }, /#RRGGBB/],
    [{ token, data: { text: 'é'.repeat(2047) } }, /Android message is too big/],
    [{ topic: 'b', data: { text: 'e'.repeat(2045) } }, /too big/],
    ['no object', /Message is missing/],
  ]
  for (const [message, complaint] of rows) {
    const { status, json } = await send(message)
    t.equal(status, 400)
    t.match(json, { error: { code: 400, status: 'INVALID_ARGUMENT', message: complaint } })
  }
  t.equal((await send({}, { body: '{' })).status, 400)
  t.ok(fcm.requests.every(({ refusal }) => refusal !== undefined))
})

t.test('FCM accepts a valid message to the last byte, in either spelling of names', async (t) => {
  const { send } = await withFcm(t)
  const android = {
    ttl: '2419200s',
    collapseKey: 'a',
    priority: 'HIGH',
    notification: { color: '#1F4E79', channelId: 'a', tag: '1' },
  }
  const apns = { headers: { 'apns-priority': '10' }, payload: { aps: {} } }
  t.equal((await send({ token: 'a', android, apns })).status, 200)
  t.equal((await send({ token: 'a', data: { text: 'é'.repeat(2046) } })).status, 200)
})

t.test('FCM can be scripted to return any failure', async (t) => {
  const { fcm, send } = await withFcm(t)
  const rows: ReadonlyArray<readonly [FcmErrorCode, number, string]> = [
    ['UNREGISTERED', 404, 'NOT_FOUND'],
    ['INVALID_ARGUMENT', 400, 'INVALID_ARGUMENT'],
    ['SENDER_ID_MISMATCH', 403, 'PERMISSION_DENIED'],
    ['QUOTA_EXCEEDED', 429, 'RESOURCE_EXHAUSTED'],
    ['UNAVAILABLE', 503, 'UNAVAILABLE'],
    ['INTERNAL', 500, 'INTERNAL'],
    ['THIRD_PARTY_AUTH_ERROR', 401, 'UNAUTHENTICATED'],
  ]
  for (const [errorCode, code, status] of rows) {
    fcm.next(errorCode, fcmError(errorCode))
    const given = await send({ token: errorCode })
    t.equal(given.status, code)
    t.match(given.json, {
      error: {
        code,
        status,
        details: [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode }],
      },
    })
    t.equal(given.headers['retry-after'], undefined)
  }
  const at = new Date(1_800_000_000_000)
  fcm.next('a', fcmError('QUOTA_EXCEEDED', 30), fcmError('UNAVAILABLE', at), messageTooBig(), badGateway())
  t.match(await send({ token: 'a' }), { status: 429, headers: { 'retry-after': '30' } })
  t.match(await send({ token: 'a' }), { status: 503, headers: { 'retry-after': at.toUTCString() } })
  t.match((await send({ token: 'a' })).text, /too big/)
  t.match(await send({ token: 'a' }), { status: 502, text: /<!DOCTYPE html>/ })
  t.equal((await send({ token: 'a' })).status, 200, 'and then as before')
})

t.test('a script applies to one token, or to all tokens without their own script', async (t) => {
  const { fcm, send } = await withFcm(t)
  fcm.always('gone', fcmError('UNREGISTERED'))
  fcm.otherwise(permissionDenied('loopback-project'))
  fcm.next('new', ({ body }) => (body === undefined ? fcmError('INTERNAL') : fcmError('UNAVAILABLE')))
  const statuses = async (...tokens: ReadonlyArray<string>) => {
    const all = await Promise.all(tokens.map((token) => send({ token })))
    return all.map(({ status }) => status)
  }
  t.strictSame(await statuses('gone', 'gone', 'new', 'new'), [404, 404, 503, 403])
  fcm.otherwise(undefined)
  t.strictSame(await statuses('gone', 'new'), [404, 200])
})

t.test('FCM has no other paths', async (t) => {
  const { fcm, send } = await withFcm(t)
  t.equal((await send({}, { path: '/v1/messages:send' })).status, 404)
  t.equal((await send({}, { method: 'PUT' })).status, 404)
  t.equal(fcm.requests.length, 0)
})
