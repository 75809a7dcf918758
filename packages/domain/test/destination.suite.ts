import fc from 'fast-check'
import t from 'tap'
import { recognise } from '../src/index.ts'

const subscription = { endpoint: 'https://push.example.org/s/1', keys: { p256dh: 'BPk', auth: 'tBH' } }
const hex = (length: number) => 'a1'.repeat(length / 2)
const fid = 'cDn3Xq9-_aB0123456789z'

t.test('F5: a prefix tells the kind outright, whatever follows', async (t) => {
  fc.assert(
    fc.property(fc.string(), (rest) => {
      t.strictSame(recognise(`fcm:${rest}`), { provider: 'fcm', form: 'token', token: rest })
      t.strictSame(recognise(`fid:${rest}`), { provider: 'fcm', form: 'fid', token: rest })
      t.strictSame(recognise(`apns:${rest}`), { provider: 'apns', sandbox: false, token: rest })
      t.strictSame(recognise(`apns-sandbox:${rest}`), { provider: 'apns', sandbox: true, token: rest })
    }),
    { numRuns: 50 },
  )
  t.strictSame(recognise(`webpush:${JSON.stringify(subscription)}`), { provider: 'webpush', subscription })
  t.equal(recognise('webpush:nonsense', 'fcm'), undefined, 'a prefix is never overruled by the default')
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

t.test('F5: 64 to 200 hex digits, even, are APNs', async (t) => {
  for (const length of [64, 128, 200])
    t.strictSame(recognise(hex(length)), { provider: 'apns', sandbox: false, token: hex(length) })
  for (const token of [hex(62), hex(202), `${hex(64)}a`, `${hex(64)}zz`]) t.equal(recognise(token), undefined)
})

t.test('F5: 22 characters of the Firebase installation id form are an FCM fid', async (t) => {
  t.strictSame(recognise(fid), { provider: 'fcm', form: 'fid', token: fid })
  for (const token of [`a${fid.slice(1)}`, `${fid}x`, fid.slice(1), `${fid.slice(1)}!`])
    t.equal(recognise(token), undefined)
})

t.test('F5: …:APA91b… and APA91b… are FCM tokens', async (t) => {
  for (const token of [`${fid}:APA91bHx`, 'APA91bHx_-9'])
    t.strictSame(recognise(token), { provider: 'fcm', form: 'token', token })
  t.equal(recognise('xAPA91b'), undefined)
})

t.test('F5: anything else goes to the default of the deployment, or nowhere', async (t) => {
  t.equal(recognise('what is this'), undefined)
  t.strictSame(recognise('what is this', 'fcm'), { provider: 'fcm', form: 'token', token: 'what is this' })
  t.strictSame(recognise('what is this', 'apns'), { provider: 'apns', sandbox: false, token: 'what is this' })
})
