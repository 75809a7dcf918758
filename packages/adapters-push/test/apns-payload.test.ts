import { createHash } from 'node:crypto'
import type { PushMessage } from '@almoner/domain/notifications'
import type { DeviceId } from '@almoner/domain/people'
import { instant, type NotificationId } from '@almoner/domain/values'
import { samplePush } from '@almoner/testkit/contracts'
import fc from 'fast-check'
import t from 'tap'
import { headersOf, payloadOf, pushIdOf } from '../src/apns/request.ts'
import { DEVICE, pushTo, TOPIC, withApns } from './apns.ts'

const MESSAGE: PushMessage = {
  title: 'Wells',
  subtitle: 'Mali',
  body: 'Three more villages 💧',
  data: {
    notificationId: '019a0000-0000-7000-8000-000000000001',
    lang: 'fr',
    resourceType: 'Library',
    resourceId: '019a0000-0000-7000-8000-000000000002',
    actionUrl: 'https://example.org/wells',
    visualUrl: 'https://example.org/wells.png',
    iconUrl: 'https://example.org/icon.png',
    color: '#1F4E79',
  },
}

const without = { ...MESSAGE, subtitle: '', body: '', data: { ...MESSAGE.data, visualUrl: '' } }

t.test("G6: title, subtitle and body are in Apple's alert, data next to aps", async (t) => {
  t.strictSame(payloadOf(MESSAGE), {
    aps: {
      alert: { title: 'Wells', subtitle: 'Mali', body: 'Three more villages 💧' },
      sound: 'default',
      'mutable-content': 1,
    },
    ...MESSAGE.data,
  })
})

t.test('G6: without an image there is no mutable-content, and empty texts are left out', async (t) => {
  t.strictSame(payloadOf(without), {
    aps: { alert: { title: 'Wells' }, sound: 'default' },
    ...MESSAGE.data,
    visualUrl: '',
  })
})

t.test('G6: payload and headers reach APNs unchanged', async (t) => {
  const { apns, gateway } = await withApns(t)
  const push = pushTo(DEVICE, { message: MESSAGE, endsAt: instant(1_900_000_000_999) })
  t.strictSame(await gateway.send(push)(), { _tag: 'Delivered' })
  const [request] = apns.requests
  t.equal(request?.token, DEVICE)
  t.strictSame(request?.body, payloadOf(MESSAGE))
  t.match(request?.headers, {
    'apns-id': pushIdOf(push),
    'apns-collapse-id': push.notificationId,
    'apns-expiration': '1900000000',
    'apns-priority': '10',
    'apns-push-type': 'alert',
    'apns-topic': TOPIC,
  })
})

t.test('G6: the measured bytes are those that are sent; APNs accepts 4,096 and not one more', async (t) => {
  const { apns, gateway } = await withApns(t)
  const room = 4096 - gateway.bytesOf({ ...MESSAGE, body: 'x' }) + 1
  for (const [length, tag] of [
    [room, 'Delivered'],
    [room + 1, 'Refused'],
  ] as const) {
    const message = { ...MESSAGE, body: 'x'.repeat(length) }
    t.equal(gateway.bytesOf(message), 4096 + length - room)
    t.equal((await gateway.send(pushTo(DEVICE, { message }))())._tag, tag)
  }
  t.equal(apns.requests.length, 2)
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (title) => {
      const message = { ...MESSAGE, title }
      return gateway.bytesOf(message) === Buffer.byteLength(JSON.stringify(payloadOf(message)))
    }),
  )
})

const UUID_5 = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

t.test('G5: the id of a push is a fixed UUID of its notification and device', async (t) => {
  const idOf = (notification: string, device: number) =>
    pushIdOf({ notificationId: notification as NotificationId, deviceId: device as DeviceId })
  fc.assert(
    fc.property(fc.uuid(), fc.nat(), (notification, device) => {
      const id = idOf(notification, device)
      return UUID_5.test(id) && id === idOf(notification, device) && id !== idOf(notification, device + 1)
    }),
  )
  // RFC 9562, 5.5: the first 16 bytes of SHA-1 over namespace and name, version and variant aside.
  const hash = createHash('sha1').update(Buffer.from('7c9d1d0b5f2e4c7f9a3e2b1d6f4a8c05', 'hex')).update('n/7')
  t.equal(idOf('n', 7).slice(0, 8), hash.digest('hex').slice(0, 8))
})

t.test('G5: the collapse id is that of the notification, within the 64 bytes of APNs', async (t) => {
  const first = headersOf(samplePush(1), TOPIC)
  const second = headersOf(samplePush(2), TOPIC)
  t.equal(first['apns-collapse-id'], second['apns-collapse-id'])
  t.not(first['apns-id'], second['apns-id'])
  t.ok(Buffer.byteLength(first['apns-collapse-id'] ?? '') <= 64)
})
