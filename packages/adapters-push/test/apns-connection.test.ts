import { once } from 'node:events'
import { constants } from 'node:http2'
import { type AddressInfo, createServer } from 'node:net'
import { REFUSED, refused, retry, senderError, UNANSWERED } from '@almoner/domain/notifications'
import { apnsError, cut, deferred, goAway, makeAuthority, reply, reset } from '@almoner/push-providers'
import * as contracts from '@almoner/testkit/contracts'
import * as O from 'fp-ts/lib/Option.js'
import t from 'tap'
import { openApns } from '../src/apns/index.ts'
import { apnsDevice, authority, DEVICE, openLoopback, optionsFor, pushTo, withApns } from './apns.ts'

const DELIVERED = { _tag: 'Delivered' }
const RETRY = UNANSWERED
const othersFirst = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const OTHER = 'b2'.repeat(32)

const runner: contracts.ContractRunner = (name, body) => {
  t.test(name, async (t) =>
    body({
      same: (actual, expected, message = 'is the same') => t.strictSame(actual, expected, message),
      ok: (value, message = 'holds') => t.ok(value, message),
    }),
  )
}

contracts.pushGatewayContract(runner, async (provider) => {
  const apns = await openLoopback(t)
  if (provider === 'gone') await apns.stop()
  const gateway = openApns(optionsFor(apns.origin))
  // The contract's devices have no specific provider: here they are Apple's.
  const pushGateway = {
    ...gateway,
    send: (push: Parameters<typeof gateway.send>[0]) =>
      gateway.send({ ...push, destination: apnsDevice(DEVICE) }),
  }
  return { pushGateway, close: gateway.close }
})

t.test(
  'many pushes share one connection, also beyond the server’s limit of concurrent streams',
  async (t) => {
    const { apns, gateway } = await withApns(t, {}, { concurrentStreams: 10 })
    const results = await Promise.all(Array.from({ length: 200 }, () => gateway.send(pushTo(DEVICE))()))
    t.ok(results.every(({ _tag }) => _tag === 'Delivered'))
    t.equal(apns.requests.length, 200)
    t.equal(apns.connections(), 1)
  },
)

t.test('production and sandbox are two servers, each connected on first use', async (t) => {
  const [production, sandbox] = [await openLoopback(t), await openLoopback(t, { environment: 'sandbox' })]
  const gateway = openApns(optionsFor(production.origin, { sandboxUrl: sandbox.origin }))
  t.teardown(gateway.close)
  await gateway.send(pushTo(DEVICE))()
  t.strictSame([production.connections(), sandbox.connections()], [1, 0])
  await gateway.send(pushTo(OTHER, { destination: apnsDevice(OTHER, true) }))()
  t.strictSame([production.requests.length, sandbox.requests.length], [1, 1])
  t.equal(sandbox.requests[0]?.token, OTHER)
})

t.test(
  'after GOAWAY unprocessed pushes are retried, earlier ones get their response, later ones a new connection',
  async (t) => {
    const { apns, gateway, send } = await withApns(t)
    const slow = deferred(reply(200))
    apns.next(OTHER, slow.answer)
    const earlier = gateway.send(pushTo(OTHER))()
    await slow.arrived
    for (const data of [JSON.stringify({ reason: 'Shutdown' }), '']) {
      apns.next(DEVICE, goAway(data))
      t.match(await send(), { _tag: /^(?:Delivered|Retry)$/ })
      t.strictSame(await send(), DELIVERED, 'on another connection')
    }
    slow.release()
    t.strictSame(await earlier, DELIVERED)
    apns.next(DEVICE, goAway('', constants.NGHTTP2_ENHANCE_YOUR_CALM))
    t.strictSame(await send(), RETRY)
    t.strictSame(await send(), DELIVERED)
  },
)

t.test('reset streams and closed connections are retried', async (t) => {
  const { apns, send } = await withApns(t)
  apns.next(DEVICE, reset(), reset(constants.NGHTTP2_REFUSED_STREAM), reset(constants.NGHTTP2_CANCEL), cut())
  // A refused stream was not taken (RFC 9113, 8.7): it goes again at once, and meets the next fault.
  for (const _fault of ['internal', 'refused, then cancelled', 'cut']) t.strictSame(await send(), RETRY)
  apns.next(DEVICE, reset(constants.NGHTTP2_NO_ERROR))
  t.strictSame(await send(), RETRY, 'a stream that ends without a response')
  t.strictSame(await send(), DELIVERED)
  t.equal(apns.requests.length, 6)
})

t.test('a closed connection gives a result for each of its pushes', async (t) => {
  const { apns, gateway, send } = await withApns(t)
  const slow = deferred(reply(200))
  apns.always(OTHER, slow.answer)
  const waiting = Array.from({ length: 20 }, () => gateway.send(pushTo(OTHER))())
  await slow.arrived
  apns.next(DEVICE, cut())
  t.strictSame(await send(), RETRY)
  for (const result of await Promise.all(waiting)) t.strictSame(result, RETRY)
  slow.release()
})

t.test('a 500 does not block a push that waits for the others', async (t) => {
  const { apns, gateway, send } = await withApns(t)
  const slow = deferred(reply(200))
  apns.next(OTHER, slow.answer)
  const other = gateway.send(pushTo(OTHER))()
  await slow.arrived
  apns.next(DEVICE, apnsError('InternalServerError'))
  t.strictSame(await send(), retry(O.none, 'InternalServerError'))
  slow.release()
  t.strictSame(await other, DELIVERED)
  t.equal(apns.connections(), 1)
})

t.test('a server that restarts is found again at its address', async (t) => {
  const { apns, send } = await withApns(t)
  t.strictSame(await send(), DELIVERED)
  await apns.stop()
  for (let n = 0; n < 3; n += 1) t.strictSame(await send(), RETRY)
  await apns.start()
  t.strictSame(await send(), DELIVERED)
})

t.test('an untrusted server gets no push', async (t) => {
  const stranger = { ca: (await makeAuthority()).ca }
  for (const [over, certificate] of [
    [stranger, await authority.leaf()],
    [{ ca: undefined }, await authority.leaf()],
    [{}, await authority.expiredLeaf()],
    [{}, await authority.leafForAnotherHost()],
  ] as const) {
    const apns = await openLoopback(t, { certificate })
    const { ca, ...options } = { ...optionsFor(apns.origin), ...over }
    const gateway = openApns(ca === undefined ? options : { ...options, ca })
    t.strictSame(await gateway.send(pushTo(DEVICE))(), senderError('CERTIFICATE'))
    t.equal(apns.requests.length, 0)
    await gateway.close()
  }
})

t.test('a server that accepts connections and stays silent is abandoned', async (t) => {
  const silent = createServer((socket) => socket.on('error', () => {}).resume())
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const origin = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`
  // Closing waits for connections that are being made, for at most the limit.
  const gateway = openApns(optionsFor(origin, { limit: 50 }))
  const pushes = [1, 2, 3].map(() => gateway.send(pushTo(DEVICE))())
  for (const result of await Promise.all(pushes)) t.strictSame(result, RETRY)
  await gateway.close()
  const closed = once(silent, 'close')
  silent.close()
  await closed
})

t.test('closing waits for pushes in flight, then disconnects; later pushes are retries', async (t) => {
  const { apns, gateway, send } = await withApns(t)
  const slow = deferred(reply(200))
  apns.next(DEVICE, slow.answer)
  const waiting = send()
  await slow.arrived
  const closing = gateway.close()
  t.strictSame(await send(), retry())
  slow.release()
  t.strictSame(await waiting, DELIVERED)
  await closing
  await gateway.close()
  t.equal(apns.requests.length, 1)
  while (apns.connections() > 0) await othersFirst()
})

t.test('malformed tokens and devices of other providers are never sent to APNs', async (t) => {
  const { apns, gateway } = await withApns(t)
  for (const token of ['../../x', 'a b', 'é', '', `${DEVICE}\r\n`, `${DEVICE}?x`])
    t.strictSame(await gateway.send(pushTo(token))(), refused('no hexadecimal digits'))
  const destination = { provider: 'fcm', form: 'token', token: DEVICE } as const
  t.strictSame(await gateway.send(pushTo(DEVICE, { destination }))(), REFUSED)
  t.equal(apns.requests.length, 0)
})

t.test('check verifies key, team and topic with a device that does not exist', async (t) => {
  const { apns, gateway } = await withApns(t)
  const unknownToken = '0'.repeat(64)
  apns.next(unknownToken, apnsError('BadDeviceToken'), apnsError('TopicDisallowed'))
  t.strictSame(await gateway.check(), DELIVERED)
  t.strictSame(await gateway.check(), senderError('TopicDisallowed'))
  await apns.stop()
  t.strictSame(await gateway.check(), RETRY)
  t.ok(apns.requests.every(({ token }) => token === unknownToken))
})
