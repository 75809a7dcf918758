import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { DELIVERED, refused, UNANSWERED } from '@almoner/domain/notifications'
import { BROWSER_PUSH_HOSTS } from '@almoner/domain/people'
import { instant } from '@almoner/domain/values'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { isPublicAddress, type Resolve } from '../src/public-addresses.ts'
import { openWebPush } from '../src/webpush/open-web-push.ts'
import { PATIENT } from './time.ts'
import { pushTo, subscriptionAt, vapid, withWebPush } from './webpush.ts'

const NOT_ALLOWED = refused('a host that is not allowed')

t.test('F5: a stored subscription may be older than the allow-list', async (t) => {
  const { service, send, subscription } = await withWebPush(t, { hosts: BROWSER_PUSH_HOSTS })
  t.strictSame(await send(), NOT_ALLOWED)
  const withUser = subscription.endpoint.replace('https://', 'https://user:pass@')
  t.strictSame(await send({ ...subscription, endpoint: withUser }), NOT_ALLOWED)
  t.equal(service.requests.length, 0)
})

t.test('F5: loopback and IP addresses are allowed only if the list has exactly them', async (t) => {
  const { host, ...exact } = await withWebPush(t)
  t.same(await exact.send(), DELIVERED)
  const port = host.replace('127.0.0.1:', '')
  for (const wildcard of [`*.0.0.1:${port}`, `*.1:${port}`]) {
    const { send } = await withWebPush(t, { hosts: [wildcard] })
    t.strictSame(await send(exact.subscription), NOT_ALLOWED)
  }
})

/** Counts connections to loopback, and a gateway whose endpoint there has a name that the test resolves. */
const byName = async (t: Test, name: string, entry: string, resolve: Resolve) => {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const clock = { now: () => instant(Date.now()) }
  const gateway = openWebPush({
    vapid,
    hosts: [`${entry}:${port}`],
    clock,
    resolve,
    threads: 0,
    limit: PATIENT,
  })
  t.teardown(async () => {
    await gateway.close()
    server.close()
  })
  const push = pushTo(subscriptionAt(`https://${name}:${port}/push`))
  return { send: gateway.send(push), connections: () => connections }
}

const LOOPBACK = { address: '127.0.0.1', family: 4 }
const PUBLIC = { address: '192.0.32.8', family: 4 }

t.test('F5: no connection is made to a name that resolves to a private network', async (t) => {
  for (const addresses of [
    [LOOPBACK],
    [{ address: '::ffff:127.0.0.1', family: 6 }],
    [LOOPBACK, PUBLIC],
    [PUBLIC, LOOPBACK],
    [],
  ]) {
    const { send, connections } = await byName(t, 'push.example', 'push.example', async () => addresses)
    t.strictSame(await send(), UNANSWERED, 'the resolver may be corrected')
    t.equal(connections(), 0)
  }
})

t.test('F5: each connection uses exactly the addresses that were checked for it', async (t) => {
  let asked = 0
  const rebinding: Resolve = async () => {
    asked += 1
    return [LOOPBACK]
  }
  const { send, connections } = await byName(t, 'a.push.example', '*.push.example', rebinding)
  t.strictSame(await send(), UNANSWERED)
  t.strictSame(await send(), UNANSWERED)
  t.equal(asked, 2, 'resolved once per connection')
  t.equal(connections(), 0)
})

t.test('F5: localhost resolves to loopback if the list has it, and to nothing else', async (t) => {
  const toLoopback: Resolve = async () => [LOOPBACK]
  const named = await byName(t, 'localhost', 'localhost', toLoopback)
  t.strictSame(await named.send(), UNANSWERED)
  t.equal(named.connections(), 1)
  const below = await byName(t, 'a.localhost', '*.localhost', toLoopback)
  t.strictSame(await below.send(), UNANSWERED)
  t.equal(below.connections(), 0)
})

t.test('F5: an unknown name gives a result, not an error', async (t) => {
  const { send } = await byName(t, 'push.example', 'push.example', async () => {
    throw new Error('ENOTFOUND')
  })
  t.strictSame(await send(), UNANSWERED)
})

t.test('F5: public and other addresses are distinguished', async (t) => {
  for (const address of [
    '8.8.8.8',
    '142.250.74.10',
    '172.15.0.1',
    '100.63.0.1',
    '2607:f8b0::1',
    '64:ff9b::808:808',
  ])
    t.ok(isPublicAddress(address), address)
  for (const address of [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.31.0.1',
    '192.168.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:10.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '2002:7f00:1::',
    'fc00::1',
    'fd12::1',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
    '',
    'localhost',
  ])
    t.notOk(isPublicAddress(address), address)
})

t.test('F5: an IPv4 address is as public as the same address mapped into IPv6', async (t) => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => isPublicAddress(address) === isPublicAddress(`::ffff:${address}`)),
  )
  t.pass()
})
