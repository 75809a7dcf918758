import { once } from 'node:events'
import t from 'tap'
import { type ApnsReason, apnsError, apnsGone, REASONS } from '../src/index.ts'
import { DEVICE, withApns } from './apns.ts'
import { dial } from './clients.ts'

const ID = '123e4567-e89b-12d3-a456-426655440000'

t.test('APNs accepts a notification, and returns its id and an empty body', async (t) => {
  const { apns, send } = await withApns(t)
  const given = await send({
    'apns-id': ID,
    'apns-expiration': '1800000000',
    'apns-priority': '10',
    'apns-collapse-id': 'a'.repeat(64),
  })
  t.match(given, { status: 200, text: '', headers: { 'apns-id': ID } })
  t.equal(given.headers['apns-unique-id'], undefined)
  t.match((await send()).headers['apns-id'], /^[0-9a-f-]{36}$/, 'a new id if none was given')
  t.match(apns.requests[0], { token: DEVICE, body: { aps: { alert: 'Hello' } }, refusal: undefined })
  t.equal(apns.requests[0]?.headers['apns-collapse-id'], 'a'.repeat(64))
})

t.test('the sandbox returns a unique id too', async (t) => {
  const { send } = await withApns(t, { environment: 'sandbox' })
  t.match((await send()).headers['apns-unique-id'], /^[0-9a-f-]{36}$/)
})

t.test('APNs rejects wrong headers, each with its reason', async (t) => {
  const { send } = await withApns(t)
  const rows: ReadonlyArray<readonly [ApnsReason, Readonly<Record<string, string>>]> = [
    ['MissingTopic', { 'apns-topic': '' }],
    ['TopicDisallowed', { 'apns-topic': 'org.example.else' }],
    ['InvalidPushType', { 'apns-push-type': 'loud' }],
    ['InvalidPushType', { 'apns-push-type': '' }],
    ['BadMessageId', { 'apns-id': ID.toUpperCase() }],
    ['BadExpirationDate', { 'apns-expiration': 'tomorrow' }],
    ['BadPriority', { 'apns-priority': '7' }],
    ['BadPriority', { 'apns-push-type': 'background', 'apns-priority': '10' }],
    ['BadCollapseId', { 'apns-collapse-id': 'a'.repeat(65) }],
  ]
  for (const [reason, headers] of rows) {
    const { status, json } = await send(headers)
    t.strictSame([status, json], [REASONS[reason], { reason }])
  }
})

t.test('APNs rejects a wrong path, method and payload', async (t) => {
  const { send } = await withApns(t)
  const large = (bytes: number) => JSON.stringify({ a: 'a'.repeat(bytes - 8) })
  const rows = [
    ['BadPath', { path: '/4/device/a' }],
    ['MethodNotAllowed', { method: 'PUT' }],
    ['MissingDeviceToken', { path: '/3/device/' }],
    ['BadDeviceToken', { path: '/3/device/none' }],
    ['PayloadEmpty', { body: '' }],
    ['PayloadTooLarge', { body: large(4097) }],
    ['PayloadTooLarge', { body: large(100_000) }],
  ] as const
  for (const [reason, asked] of rows) {
    const { status, json } = await send({}, asked)
    t.strictSame([status, json], [REASONS[reason], { reason }])
  }
  t.equal((await send({}, { body: large(4096) })).status, 200)
  t.equal((await send({ 'apns-push-type': 'voip' }, { body: large(5120) })).status, 200)
})

t.test('APNs can be scripted to return any reason', async (t) => {
  const { apns, send } = await withApns(t)
  for (const [reason, status] of Object.entries(REASONS)) {
    if (reason === 'Unregistered' || reason === 'ExpiredToken') continue
    apns.next(DEVICE, apnsError(reason as keyof typeof REASONS & 'BadDeviceToken'))
    const given = await send()
    t.strictSame([given.status, given.json], [status, { reason }])
    t.ok(given.headers['apns-id'])
  }
  const at = new Date(1_700_000_000_123)
  apns.next(DEVICE, apnsGone(at), apnsGone(at, 'ExpiredToken'), apnsError('TooManyRequests', 10))
  t.match(await send(), { status: 410, json: { reason: 'Unregistered', timestamp: 1_700_000_000_123 } })
  t.match(await send(), { status: 410, json: { reason: 'ExpiredToken' } })
  t.match(await send(), { status: 429, headers: { 'retry-after': '10' } })
})

t.test('APNs announces how many requests may be in flight', async (t) => {
  const { apns, connect } = await withApns(t, { concurrentStreams: 3 })
  const session = await connect()
  t.equal(apns.connections(), 2)
  if (session.remoteSettings.maxConcurrentStreams !== 3) await once(session, 'remoteSettings')
  t.equal(session.remoteSettings.maxConcurrentStreams, 3)
  await t.rejects(dial(apns.origin, ''), { code: /./ }, 'a client that does not trust it sends nothing')
})
