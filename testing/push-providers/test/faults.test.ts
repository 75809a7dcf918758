import { once } from 'node:events'
import { constants } from 'node:http2'
import t from 'tap'
import { cut, deferred, fcmError, goAway, reply, reset } from '../src/index.ts'
import { DEVICE, withApns } from './apns.ts'
import { askHttp1 } from './clients.ts'
import { withFcm } from './fcm.ts'

t.test('a slow response waits for the test, and others pass it meanwhile', async (t) => {
  const { fcm, send } = await withFcm(t)
  const slow = deferred(fcmError('UNAVAILABLE'))
  fcm.next('slow', slow.answer)
  const waiting = send({ token: 'slow' })
  await slow.arrived
  t.equal((await send({ token: 'fast' })).status, 200)
  slow.release()
  t.equal((await waiting).status, 503)
})

t.test('a client that disconnects does not break the server', async (t) => {
  const { apns, session, connect, headers, send } = await withApns(t)
  const slow = deferred(reply(200))
  const third = deferred(reply(200))
  apns.next(DEVICE, slow.answer, slow.answer, third.answer)
  const left = t.rejects(send())
  await slow.arrived
  const takenBack = session.request({ ...headers, ':method': 'POST', ':path': `/3/device/${DEVICE}` })
  const broken = once(takenBack, 'error')
  takenBack.end('{}')
  const leaves = await connect()
  const gone = t.rejects(send({}, {}, leaves))
  await third.arrived
  takenBack.close(constants.NGHTTP2_INTERNAL_ERROR)
  await broken
  leaves.destroy()
  session.destroy()
  await Promise.all([left, gone])
  slow.release()
  t.equal((await send({}, {}, await connect())).status, 200)
})

t.test('RST_STREAM ends one request, not the connection', async (t) => {
  const { apns, session, send } = await withApns(t)
  apns.next(DEVICE, reset(), reset(constants.NGHTTP2_REFUSED_STREAM))
  await t.rejects(send(), /NGHTTP2_INTERNAL_ERROR/)
  await t.rejects(send(), /NGHTTP2_REFUSED_STREAM/)
  t.equal((await send()).status, 200)
  t.notOk(session.closed)
})

t.test(
  'GOAWAY names the unprocessed requests and the reason; earlier requests get a response, then the connection closes',
  async (t) => {
    const { apns, session, connect, send } = await withApns(t)
    const slow = deferred(reply(200))
    apns.next(DEVICE, slow.answer, goAway(JSON.stringify({ reason: 'Shutdown' })))
    const earlier = send()
    await slow.arrived
    const frame = once(session, 'goaway')
    const closed = once(session, 'close')
    await t.rejects(send(), /NGHTTP2_REFUSED_STREAM|closed with 7/)
    const [code, last, data] = await frame
    t.equal(code, constants.NGHTTP2_NO_ERROR)
    t.equal(last, 1, 'the earlier request')
    t.equal(data?.toString(), '{"reason":"Shutdown"}')
    slow.release()
    t.equal((await earlier).status, 200)
    await closed
    t.equal((await send({}, {}, await connect())).status, 200, 'another connection')
  },
)

t.test('a closed connection ends all its requests, over HTTP/1.1 too', async (t) => {
  const { fcm, ca, accessToken, session, send } = await withFcm(t)
  const slow = deferred(reply(200))
  fcm.next('slow', slow.answer)
  fcm.next('cut', cut(), cut(), reset(), goAway())
  const other = t.rejects(send({ token: 'slow' }))
  await slow.arrived
  await t.rejects(send({ token: 'cut' }))
  await other
  t.ok(session.destroyed)
  const asked = {
    path: `/v1/projects/${fcm.account.project_id}/messages:send`,
    headers: { authorization: `Bearer ${accessToken}` },
    body: JSON.stringify({ message: { token: 'cut' } }),
  }
  for (const _kind of ['cut', 'reset', 'goAway'])
    await t.rejects(askHttp1(fcm.origin, ca, asked), { code: 'ECONNRESET' })
  t.equal((await askHttp1(fcm.origin, ca, asked)).status, 200)
})

t.test('a server goes down with all its connections, and comes back at the same port', async (t) => {
  const { apns, session, connect, send } = await withApns(t)
  const { origin } = apns
  const slow = deferred(reply(200))
  apns.next(DEVICE, slow.answer)
  const waiting = t.rejects(send())
  await slow.arrived
  const closed = once(session, 'close')
  await apns.stop()
  await apns.stop()
  await waiting
  await closed
  t.equal(apns.connections(), 0)
  await t.rejects(connect(), { code: 'ECONNREFUSED' })
  await apns.start()
  await apns.start()
  t.equal(apns.origin, origin)
  t.equal((await send({}, {}, await connect())).status, 200)
  t.equal(apns.requests.length, 2, 'and keeps its recorded requests')
})
