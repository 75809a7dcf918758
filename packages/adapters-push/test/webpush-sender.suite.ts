import { DELIVERED, REFUSED, retry } from '@almoner/domain'
import { makeVapidKeys, reply, replyJson } from '@almoner/loopback-providers'
import t from 'tap'
import { makeVapid } from '../src/webpush/vapid.ts'
import { vapidFault } from '../src/webpush/vapid-keys.ts'
import { movedClock, vapid, withWebPush } from './webpush.ts'

const HOUR = 3_600_000

t.test('RFC 8292: a header is kept for an origin until shortly before it runs out', async (t) => {
  const clock = movedClock()
  const { service, send } = await withWebPush(t, { clock })
  const header = async () => {
    t.same(await send(), DELIVERED)
    return service.requests.at(-1)?.headers.authorization
  }
  const first = await header()
  t.match(first, /^vapid t=[\w.-]+, k=[\w-]{87}$/)
  t.equal(await header(), first)
  clock.move(11 * HOUR)
  t.equal(await header(), first)
  clock.move(HOUR - 60_000)
  const second = await header()
  t.not(second, first)
  clock.move(-2 * 24 * HOUR)
  t.not(await header(), second, 'a clock that was set back')
})

t.test('RFC 8292: headers are kept for so many origins, the latest', async (t) => {
  const { headerFor } = makeVapid(vapid, movedClock())
  const origin = (n: number) => `https://${n}.push.example.org`
  const first = headerFor(origin(0))
  for (let n = 1; n < 500; n += 1) headerFor(origin(n))
  t.equal(headerFor(origin(0)), first)
  const last = headerFor(origin(500))
  t.equal(headerFor(origin(500)), last)
  t.not(headerFor(origin(0)), first)
})

t.test('RFC 8292: a header is for one origin', async (t) => {
  const { send, service, host } = await withWebPush(t)
  const other = await withWebPush(t, { hosts: [host] })
  t.same(await send(), DELIVERED)
  t.strictSame(await other.send(), REFUSED, 'whose host is not on the list')
  const both = await withWebPush(t, { hosts: [host, new URL(other.service.origin).host] })
  t.same(await both.send(service.subscribe()), DELIVERED)
  t.same(await both.send(other.subscription), DELIVERED)
})

t.test('G5: who sends is refused: a fault of ours, in the words of the push service alone', async (t) => {
  const rows = [
    [reply(401), 'HTTP 401'],
    [reply(403, {}, 'a text that nobody knows'), 'HTTP 403'],
    [replyJson(403, { reason: 'BadJwtToken' }), 'HTTP 403 BadJwtToken'],
    [replyJson(401, { errno: 109, message: 'vapid t=secret' }), 'HTTP 401 errno 109'],
  ] as const
  for (const [answer, reason] of rows) {
    const { service, send } = await withWebPush(t)
    service.otherwise(answer)
    t.strictSame(await send(), { _tag: 'OurFault', reason })
    t.equal(service.requests.length, 1, 'a header of this hour is not signed anew')
  }
})

t.test('G5: a header that is refused when it is old is signed anew and tried once more', async (t) => {
  const clock = movedClock()
  const { service, send, subscription } = await withWebPush(t, { clock })
  service.next(subscription.endpoint, reply(429))
  t.strictSame(await send(), retry())
  clock.move(2 * HOUR)
  service.next(subscription.endpoint, reply(401))
  t.same(await send(), DELIVERED)
  const [, refused, again] = service.requests.map(({ headers }) => headers.authorization)
  t.not(refused, again)
  const late = await withWebPush(t, { clock })
  late.service.otherwise(reply(429))
  await late.send()
  clock.move(2 * HOUR)
  late.service.otherwise(reply(401))
  t.match(await late.send(), { _tag: 'OurFault' })
  t.equal(late.service.requests.length, 3)
})

t.test('G5: one subscription cannot stop an origin that takes the pushes of others', async (t) => {
  const { service, send, subscription } = await withWebPush(t)
  const stranger = service.subscribe(makeVapidKeys().publicKey)
  t.strictSame(await send(stranger), REFUSED, 'a subscription made for other keys')
  t.same(await send(), DELIVERED)
  service.next(subscription.endpoint, reply(403))
  t.strictSame(await send(), retry())
})

t.test('RFC 8292: keys that cannot be right are a fault of ours before anybody is asked', async (t) => {
  const rows = [
    { ...vapid, publicKey: vapid.publicKey.slice(1) },
    { ...vapid, publicKey: makeVapidKeys().publicKey },
    { ...vapid, privateKey: '' },
    { ...vapid, privateKey: 'A'.repeat(43) },
    { ...vapid, subject: 'push@example.org' },
    { ...vapid, subject: 'mailto:push@localhost' },
    { ...vapid, subject: 'https://localhost:3000/' },
  ]
  for (const keys of rows) {
    const { service, gateway, send } = await withWebPush(t, { vapid: keys })
    t.match(await send(), { _tag: 'OurFault', reason: /^The VAPID / })
    const found = JSON.stringify(await gateway.check())
    t.match(found, /"OurFault".*The VAPID /)
    const texts = [keys.privateKey, keys.subject].filter((text) => text !== '')
    t.notOk(texts.some((text) => found.includes(text)))
    t.equal(service.requests.length, 0)
  }
  const { gateway } = await withWebPush(t)
  t.strictSame(await gateway.check(), DELIVERED)
  t.equal(vapidFault({ ...vapid, subject: 'https://example.org/push' }), undefined)
})
