import type { PushMessage } from '@almoner/domain/notifications'
import { instant, type NotificationId } from '@almoner/domain/values'
import fc from 'fast-check'
import t from 'tap'
import { bytesOf, type FcmTarget, type fcmContent, makeRenderer } from '../src/fcm/protocol.ts'

const ID = '01890a5d-ac96-774b-bcce-b302099a8057'
const NOW = instant(1_700_000_000_000)
const LIFE = { notificationId: ID as NotificationId, endsAt: instant(1_700_086_400_999) }

const FULL: PushMessage = {
  title: 'Wells',
  subtitle: 'In the north',
  body: 'Three new wells.',
  data: {
    notificationId: ID,
    lang: 'en',
    resourceType: 'Library',
    resourceId: 'an-item',
    actionUrl: 'https://example.org/wells',
    visualUrl: 'https://example.org/wells.png',
    iconUrl: 'https://example.org/icon.png',
    color: '#1F4E79',
  },
}

/** A message with nothing but a title. */
const BARE: PushMessage = {
  title: 'Wells',
  subtitle: '',
  body: '',
  data: { ...FULL.data, resourceId: '', actionUrl: '', visualUrl: '', iconUrl: '' },
}

const render = makeRenderer()

const made = (message: PushMessage, life = LIFE, target: FcmTarget = { token: 'a' }, now = NOW) =>
  JSON.parse(render(target, message, life, now)).message as FcmTarget & ReturnType<typeof fcmContent>

t.test('G6: every field of a full message has its place on each platform', async (t) => {
  t.strictSame(made(FULL), {
    token: 'a',
    notification: { title: 'Wells', body: 'Three new wells.', image: 'https://example.org/wells.png' },
    data: FULL.data,
    android: {
      ttl: '86400s',
      collapse_key: ID,
      notification: { body: 'In the north\nThree new wells.', color: '#1F4E79', tag: ID },
    },
    apns: {
      headers: { 'apns-expiration': '1700086400', 'apns-collapse-id': ID },
      payload: {
        aps: {
          alert: { title: 'Wells', subtitle: 'In the north', body: 'Three new wells.' },
          sound: 'default',
          'mutable-content': 1,
        },
      },
      fcm_options: { image: 'https://example.org/wells.png' },
    },
    webpush: {
      headers: { TTL: '86400', Topic: '01890a5dac96774bbcceb302099a8057' },
      notification: {
        body: 'In the north\nThree new wells.',
        icon: 'https://example.org/icon.png',
        image: 'https://example.org/wells.png',
        tag: ID,
        data: FULL.data,
      },
      fcm_options: { link: 'https://example.org/wells' },
    },
  })
})

t.test('G6: absent values are left out of the platform fields, and empty in the data', async (t) => {
  const { notification, data, android, apns, webpush } = made(BARE)
  t.strictSame(notification, { title: 'Wells' })
  t.equal(Object.keys(data).length, 8)
  t.equal(data.actionUrl, '')
  t.strictSame(android.notification, { color: '#1F4E79', tag: ID })
  t.strictSame(apns.payload, { aps: { alert: { title: 'Wells' }, sound: 'default' } })
  t.notOk('fcm_options' in apns)
  t.strictSame(webpush.notification, { tag: ID, data: BARE.data })
  t.notOk('fcm_options' in webpush)
})

t.test('G6: a link of FCM for browsers must be https', async (t) => {
  const to = (actionUrl: string) => made({ ...FULL, data: { ...FULL.data, actionUrl } }).webpush
  t.notOk('fcm_options' in to('http://example.org/wells'))
  t.ok('fcm_options' in to('HTTPS://example.org/wells'))
})

t.test('G5: the time to live is the rest of the notification’s life, four weeks at most', async (t) => {
  const ttl = (milliseconds: number) =>
    made(FULL, { ...LIFE, endsAt: instant(NOW + milliseconds) }).android.ttl
  t.equal(ttl(1999), '1s')
  t.equal(ttl(0), '0s')
  t.equal(ttl(-5000), '0s')
  t.equal(ttl(60 * 86_400_000), '2419200s')
})

t.test('F5: an installation id is sent as fid, without a token', async (t) => {
  const message = made(FULL, LIFE, { fid: 'cabc' })
  t.match(message, { fid: 'cabc' })
  t.notOk('token' in message)
})

t.test('cached JSON is serialised again when the message changes', async (t) => {
  const { token: _token, ...first } = made(FULL) as { token: string } & ReturnType<typeof fcmContent>
  t.strictSame(made(FULL, LIFE, { token: 'b"\\é' }), { token: 'b"\\é', ...first })
  t.equal(made(FULL, LIFE, { token: 'a' }, instant(NOW + 1500)).android.ttl, '86399s')
  const endsAt = instant(LIFE.endsAt + 1000)
  t.equal(made(FULL, { ...LIFE, endsAt }).android.ttl, '86401s')
  const notificationId = ID.replace('01', '02') as NotificationId
  t.equal(made(FULL, { ...LIFE, notificationId }).android.collapse_key, notificationId)
  t.strictSame(made(FULL), made({ ...FULL }))
})

t.test('G6: the measured size is never less than the keys and values that FCM counts', async (t) => {
  const text = fc.string({ unit: 'grapheme', maxLength: 200 })
  fc.assert(
    fc.property(text, text, text, text, (title, subtitle, body, actionUrl) => {
      const message = { ...FULL, title, subtitle, body, data: { ...FULL.data, actionUrl } }
      const { notification, data, android } = made(message)
      const counted = [notification, data, android.notification].flatMap(Object.entries<string>).join('')
      t.ok(bytesOf(message) >= Buffer.byteLength(counted.replaceAll(',', '')))
    }),
  )
})
