import t from 'tap'
import { apnsError, fcmError, makeAuthority, openWebPush } from '../src/index.ts'
import { DEVICE, withApns } from './apns.ts'
import { ask, dial } from './clients.ts'
import { withFcm } from './fcm.ts'

const counting = { latency: 5 }

t.test('counted requests get a response and are neither checked nor stored', async (t) => {
  const { fcm, send } = await withFcm(t, { counting })
  const headers = { authorization: 'none' }
  const all = await Promise.all(['a', 'b', 'a'].map((token) => send({ token }, { headers })))
  t.strictSame(
    all.map(({ status }) => status),
    [200, 200, 200],
  )
  t.strictSame(
    [...fcm.counts],
    [
      ['a', 2],
      ['b', 1],
    ],
  )
  t.strictSame(fcm.requests, [])
  fcm.always('a', fcmError('UNREGISTERED'))
  t.equal((await send({ token: 'a' })).status, 404, 'scripts apply')
})

t.test('counted by device token', async (t) => {
  const { apns, send } = await withApns(t, { counting })
  apns.next(DEVICE, apnsError('TooManyRequests'), ({ body }) => apnsError(body ? 'Shutdown' : 'BadPath'))
  t.equal((await send({ authorization: '' })).status, 429)
  t.equal((await send()).status, 503, 'and read if the script needs it')
  t.equal((await send()).status, 200)
  t.equal(apns.counts.get(DEVICE), 3)
})

t.test('counted by endpoint, of any subscription', async (t) => {
  const { ca, leaf } = await makeAuthority()
  const webPush = await openWebPush({ certificate: await leaf(), counting })
  const session = await dial(webPush.origin, ca)
  t.teardown(async () => {
    session.destroy()
    await webPush.stop()
  })
  t.equal((await ask(session, { path: '/push/anyone', headers: { ttl: '60' } })).status, 201)
  t.equal(webPush.counts.get(`${webPush.origin}/push/anyone`), 1)
})
