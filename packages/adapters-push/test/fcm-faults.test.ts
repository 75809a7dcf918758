import { constants } from 'node:http2'
import { senderError, UNANSWERED } from '@almoner/domain/notifications'
import { cut, deferred, goAway, makeAuthority, reply, reset } from '@almoner/push-providers'
import t from 'tap'
import { authority, withFcm } from './fcm.ts'

const DELIVERED = { _tag: 'Delivered' }
const RETRY = UNANSWERED

t.test('G5: pushes that GOAWAY left unprocessed use another connection, and so do later ones', async (t) => {
  const { fcm, push } = await withFcm(t)
  t.strictSame(await push('a'), DELIVERED)
  const slow = deferred(reply(200, {}, '{}'))
  fcm.next('earlier', slow.answer)
  const earlier = push('earlier')
  await slow.arrived
  fcm.next('a', goAway())
  t.strictSame(await push('a'), DELIVERED)
  slow.release()
  t.strictSame(await earlier, DELIVERED, 'an earlier one gets its response')
  t.strictSame(await Promise.all(['b', 'c'].map((token) => push(token))), [DELIVERED, DELIVERED])
})

t.test('G5: endless GOAWAYs cause no loop', async (t) => {
  const { fcm, push } = await withFcm(t)
  fcm.always('a', goAway())
  t.strictSame(await push('a'), RETRY)
  t.ok(fcm.requests.length <= 3)
  t.strictSame(await push('b'), DELIVERED)
})

t.test('G5: a reset stream or a closed connection is a retry', async (t) => {
  const { fcm, push } = await withFcm(t)
  fcm.always('reset', reset())
  fcm.always('refused', reset(constants.NGHTTP2_REFUSED_STREAM))
  fcm.always('cut', cut())
  for (const token of ['reset', 'refused', 'cut']) {
    t.strictSame(await push(token), RETRY, token)
    t.strictSame(await push('b'), DELIVERED, `after ${token}`)
  }
  const times = (asked: string) => fcm.requests.filter(({ token }) => token === asked).length
  // Only REFUSED_STREAM says that nothing was done with it, so that it may be sent again at once.
  t.strictSame([times('reset'), times('refused'), times('cut')], [1, 2, 1])
})

t.test(
  'G5: if a connection closes during a burst, all pushes get a result, and the next burst is accepted',
  async (t) => {
    const { fcm, push } = await withFcm(t)
    fcm.next('device-50', cut())
    const burst = () => Promise.all(Array.from({ length: 200 }, (_, n) => push(`device-${n}`)))
    const tags = new Set((await burst()).map(({ _tag }) => _tag))
    t.ok([...tags].every((tag) => tag === 'Delivered' || tag === 'Retry'))
    t.ok((await burst()).every(({ _tag }) => _tag === 'Delivered'))
  },
)

t.test('G5: while FCM is down pushes are retried; when it is back they are accepted', async (t) => {
  const { fcm, push } = await withFcm(t)
  t.strictSame(await push('a'), DELIVERED)
  const slow = deferred(reply(200, {}, '{}'))
  fcm.next('a', slow.answer)
  const waiting = push('a')
  await slow.arrived
  await fcm.stop()
  t.strictSame(await waiting, RETRY)
  t.strictSame(await Promise.all([push('a'), push('b')]), [RETRY, RETRY])
  await fcm.start()
  t.strictSame(await push('a'), DELIVERED)
})

t.test('an untrusted certificate authority is a sender error, and no token is sent', async (t) => {
  const { fcm, push } = await withFcm(t, { ca: (await makeAuthority()).ca })
  t.strictSame(await push('a'), senderError('CERTIFICATE'))
  t.equal(fcm.requests.length + fcm.oauth.requests.length, 0)
})

t.test('a certificate that is expired or for another host is a sender error', async (t) => {
  for (const certificate of [await authority.expiredLeaf(), await authority.leafForAnotherHost()]) {
    const { push } = await withFcm(t, {}, { certificate })
    t.strictSame(await push('a'), senderError('CERTIFICATE'))
  }
})
