import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import type { Contact, LinkMethod } from '@almoner/domain/content'
import { NEVER_STOPPED } from '@almoner/domain/ports'
import type { WebUrl } from '@almoner/domain/values'
import { makeAuthority } from '@almoner/push-providers'
import * as contracts from '@almoner/testkit/contracts'
import t, { type Test } from 'tap'
import { type LinkCheckerOptions, openLinkChecker } from '../src/links.ts'
import { isPublicAddress } from '../src/public-addresses.ts'
import { PATIENT } from './time.ts'

const SERVICE = 'https://almoner.example'

/** Listens on loopback, and counts the connections. */
const listen = async (t: Test, server: Server, host = '127.0.0.1') => {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.listen(0, host)
  await once(server, 'listening')
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, connections: () => connections }
}

const serve = async (t: Test, answer: RequestListener) => listen(t, createServer(answer))

/** Opens a checker that may contact these sockets. */
const openFor = (t: Test, allowed: ReadonlyArray<string>, over: Partial<LinkCheckerOptions> = {}) => {
  const checker = openLinkChecker({ service: () => SERVICE, allowed, ...over })
  t.teardown(checker.close)
  return (
    url: string,
    { method = 'HEAD' as LinkMethod, within = PATIENT, signal = NEVER_STOPPED } = {},
  ): Promise<Contact> => checker.contact({ url: url as WebUrl, method, within, signal })()
}

const failed = (fault: Extract<Contact, { readonly kind: 'failed' }>['fault']): Contact => ({
  kind: 'failed',
  fault,
})

/** A port of loopback at which nothing listens. */
const closedPort = async (): Promise<number> => {
  const server = createTcpServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const runner: contracts.ContractRunner = (name, body) => {
  t.test(name, async (t) =>
    body({ same: (a, b, m = 'is the same') => t.strictSame(a, b, m), ok: (v, m = 'holds') => t.ok(v, m) }),
  )
}

contracts.linkCheckerContract(runner, async () => {
  const server = createServer(({ method = '', url = '' }, response) => {
    const { status, location } = contracts.sampleAnswer(method, url)
    response.writeHead(status, location === undefined ? {} : { location }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const refusing = await closedPort()
  const allowed = [`127.0.0.1:${port}`, `127.0.0.1:${refusing}`]
  const linkChecker = openLinkChecker({ service: () => SERVICE, allowed })
  return {
    linkChecker,
    origin: `http://127.0.0.1:${port}`,
    refusing: `http://127.0.0.1:${refusing}`,
    close: async () => {
      await linkChecker.close()
      server.close()
    },
  }
})

t.test('C17: requests name the service, and carry nothing else of it', async (t) => {
  const { port } = await serve(t, ({ headers }, response) => {
    t.strictSame(Object.keys(headers).sort(), ['accept', 'connection', 'host', 'user-agent'])
    t.equal(headers['user-agent'], `Almoner link check (+${SERVICE})`)
    response.end()
  })
  const contact = openFor(t, [`127.0.0.1:${port}`])
  t.match(await contact(`http://127.0.0.1:${port}/a#part`), { status: 200 })
})

t.test('C17: slow servers, endless answers and torn ones end in time', async (t) => {
  const slow = await serve(t, () => {})
  const trickling = await listen(
    t,
    createTcpServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const timer = setInterval(() => socket.write('x-more: 1\r\n'), 5)
      socket.on('close', () => clearInterval(timer))
    }),
  )
  const endless = await serve(t, (_request, response) => {
    const write = () => {
      while (response.write('x'.repeat(65_536)));
    }
    response.on('drain', write)
    write()
  })
  const early = await serve(t, (_request, response) => {
    response.writeEarlyHints({ link: '</a>; rel=preload' })
    response.writeHead(404).end()
  })
  const torn = await listen(
    t,
    createTcpServer((socket) => void socket.once('data', () => socket.destroy())),
  )
  const noise = await listen(
    t,
    createTcpServer((socket) => void socket.once('data', () => socket.end('220 mail ready\r\n'))),
  )
  const sockets = [slow, trickling, endless, early, torn, noise].map(({ port }) => `127.0.0.1:${port}`)
  const contact = openFor(t, sockets)
  t.same(await contact(`http://127.0.0.1:${slow.port}/`, { within: 50 }), failed('silent'))
  const head = await contact(`http://127.0.0.1:${trickling.port}/`, { within: 500 })
  t.ok(head.kind === 'failed' && ['silent', 'broken'].includes(head.fault))
  t.match(await contact(`http://127.0.0.1:${endless.port}/`, { method: 'GET' }), { status: 200 })
  t.match(await contact(`http://127.0.0.1:${early.port}/`, { method: 'GET' }), { status: 404 })
  t.same(await contact(`http://127.0.0.1:${torn.port}/`), failed('broken'))
  t.same(await contact(`http://127.0.0.1:${noise.port}/`), failed('broken'))
})

t.test('C17: a head of more than 64 KiB is broken', async (t) => {
  const { port } = await listen(
    t,
    createTcpServer((socket) => {
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(70_000)}\r\n\r\n`))
    }),
  )
  const contact = openFor(t, [`127.0.0.1:${port}`])
  t.same(await contact(`http://127.0.0.1:${port}/`), failed('broken'))
})

t.test('C17: a stopped process and a closed checker end their contacts at once', async (t) => {
  const { port } = await serve(t, () => {})
  const stop = new AbortController()
  const contact = openFor(t, [`127.0.0.1:${port}`])
  const stopped = contact(`http://127.0.0.1:${port}/`, { signal: stop.signal })
  stop.abort()
  t.same(await stopped, failed('broken'))
  const checker = openLinkChecker({ service: () => SERVICE, allowed: [`127.0.0.1:${port}`] })
  const request = {
    url: `http://127.0.0.1:${port}/` as WebUrl,
    method: 'GET',
    signal: NEVER_STOPPED,
  } as const
  const running = checker.contact({ ...request, within: PATIENT })()
  // The first contact loads undici.
  await import('../src/link-contacts.ts')
  await checker.close()
  t.same(await running, failed('broken'))
})

t.test(
  'C17: without the option of the constructor, loopback and private addresses are never contacted',
  async (t) => {
    const { port, connections } = await serve(t, (_request, response) => void response.end())
    const open = openFor(t, [])
    const hosts = ['127.0.0.1', '127.1', '0x7f.1', '2130706433', '0.0.0.0', 'localhost', '[::1]', '[::]']
    for (const host of [
      ...hosts,
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
    ]) {
      t.same(await open(`http://${host}:${port}/`), failed('not-public'), 'another port than 80 and 443')
      t.same(await open(`http://${host}/`), failed('not-public'), host)
      t.same(await open(`https://${host}/`), failed('not-public'), host)
    }
    for (const host of [
      '10.0.0.1',
      '192.168.1.1',
      '172.20.0.1',
      '169.254.169.254',
      '100.64.0.1',
      '[fd00::1]',
      '[fe80::1]',
    ])
      t.same(await open(`http://${host}/`), failed('not-public'), host)
    t.equal(connections(), 0)
  },
)

t.test('C17: ports other than 80 and 443 are not contacted, on any host', async (t) => {
  let lookups = 0
  const resolve = async () => {
    lookups += 1
    return [{ address: '127.0.0.1', family: 4 }]
  }
  const contact = openFor(t, [], { resolve })
  for (const url of ['http://a.example:8080/', 'https://a.example:22/', 'http://a.example:25/'])
    t.same(await contact(url), failed('not-public'), url)
  t.equal(lookups, 0)
  t.same(await contact('http://a.example:443/'), failed('not-public'))
  t.equal(lookups, 1)
})

t.test(
  'C17: a name is looked at each time: one that turns to a private address is not followed there',
  async (t) => {
    const { port, connections } = await serve(t, (_request, response) => void response.end())
    const answers = [
      [{ address: '127.0.0.1', family: 4 }],
      [{ address: '127.0.0.2', family: 4 }],
      [
        { address: '127.0.0.1', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ],
      [{ address: '::ffff:127.0.0.2', family: 6 }],
      [{ address: '::1', family: 6 }],
    ]
    const resolve = async () => answers.shift() ?? []
    const contact = openFor(t, [`127.0.0.1:${port}`], { resolve })
    t.match(await contact(`http://rebinding.example:${port}/`), { status: 200 })
    for (const _ of answers.slice())
      t.same(await contact(`http://rebinding.example:${port}/`), failed('not-public'))
    t.equal(connections(), 1)
  },
)

t.test('C17: the connected socket decides, before a byte is sent', async (t) => {
  let bytes = 0
  const { port, connections } = await listen(
    t,
    createTcpServer((socket) => void socket.on('data', (chunk) => (bytes += chunk.length))),
  )
  // Linux connects 0.0.0.0 to loopback: the address that was allowed is not the one that was reached.
  const contact = openFor(t, [`0.0.0.0:${port}`])
  t.same(await contact(`http://0.0.0.0:${port}/`), failed('not-public'))
  t.same(await contact(`https://0.0.0.0:${port}/`), failed('not-public'))
  t.equal(connections(), 2)
  t.equal(bytes, 0)
})

t.test(
  'C17: names that do not exist, do not resolve, or have no address give different answers',
  async (t) => {
    const failing = (code: string) => async () => {
      throw Object.assign(new Error(code), { code })
    }
    for (const [code, fault] of [
      ['ENOTFOUND', 'no-name'],
      ['ENODATA', 'no-name'],
      ['EAI_AGAIN', 'unresolved'],
      ['ETIMEOUT', 'unresolved'],
    ] as const)
      t.same(await openFor(t, [], { resolve: failing(code) })('http://a.example/'), failed(fault), code)
    t.same(await openFor(t, [], { resolve: async () => [] })('http://a.example/'), failed('no-name'))
  },
)

t.test('C17: a refusal of the one address that has a route counts', async (t) => {
  const port = await closedPort()
  const resolve = async () => [
    { address: '2001:db8:ffff::1', family: 6 },
    { address: '127.0.0.1', family: 4 },
  ]
  const contact = openFor(t, [`127.0.0.1:${port}`, `2001:db8:ffff::1:${port}`], { resolve })
  const found = await contact(`http://two.example:${port}/`)
  t.ok(found.kind === 'failed' && ['refused', 'unreachable'].includes(found.fault))
})

t.test('C17: a certificate that does not hold says nothing of the link', async (t) => {
  const server = createSecureServer(
    await (await makeAuthority()).leaf(),
    (_request, response) => void response.end(),
  )
  const { port } = await listen(t, server)
  const contact = openFor(t, [`127.0.0.1:${port}`])
  t.same(await contact(`https://127.0.0.1:${port}/`), failed('certificate'))
})

t.test('C17: redirects are returned in any form, and never followed by the checker', async (t) => {
  const locations: Array<string | undefined> = [
    '//b.example/x',
    '../y z',
    'http://10.0.0.1/',
    'javascript:1',
    'http://[',
    undefined,
  ]
  const { port, connections } = await serve(t, (_request, response) => {
    const location = locations.shift()
    response.writeHead(302, location === undefined ? {} : { location }).end()
  })
  const contact = openFor(t, [`127.0.0.1:${port}`])
  const found: Array<string | undefined> = []
  while (locations.length > 0) {
    const one = await contact(`http://127.0.0.1:${port}/a/b/c`)
    if (one.kind === 'answered') found.push(one.location)
  }
  t.strictSame(found, [
    'http://b.example/x',
    `http://127.0.0.1:${port}/a/y%20z`,
    'http://10.0.0.1/',
    'javascript:1',
    undefined,
    undefined,
  ])
  t.equal(connections(), 6)
})

t.test('C17: a proxy gets every link but literal private addresses, and fails in its own name', async (t) => {
  const seen: Array<string> = []
  const { port } = await serve(t, ({ url = '', method = '' }, response) => {
    seen.push(`${method} ${url}`)
    response.writeHead(url.includes('gone') ? 404 : 200).end()
  })
  const proxy = { url: `http://127.0.0.1:${port}`, except: 'a.example' }
  const resolve = async () => t.fail('the proxy finds names itself') as never
  const contact = openFor(t, [], { proxy, resolve })
  t.match(await contact('http://a.example/gone?x=1'), { status: 404 })
  t.match(await contact('http://93.184.215.14/'), { status: 200 })
  for (const url of ['http://10.0.0.1/', 'http://[::1]/', 'https://127.0.0.1/', 'http://a.example:8080/'])
    t.same(await contact(url), failed('not-public'), url)
  t.strictSame(seen, ['HEAD http://a.example/gone?x=1', 'HEAD http://93.184.215.14/'])
  t.same(await contact('https://a.example/'), failed('unreachable'), 'a proxy without CONNECT')
  const refusing = { url: `http://127.0.0.1:${await closedPort()}`, except: '' }
  t.same(await openFor(t, [], { proxy: refusing })('http://a.example/'), failed('unreachable'))
})

t.test('C17: addresses of the special-purpose registries are not public, in no form', async (t) => {
  const special = [
    ...[
      '0.1.2.3',
      '10.1.1.1',
      '100.127.255.255',
      '127.8.8.8',
      '169.254.1.1',
      '172.16.0.1',
      '192.0.0.8',
      '192.0.2.1',
    ],
    ...[
      '192.31.196.1',
      '192.52.193.1',
      '192.88.99.1',
      '192.168.0.1',
      '192.175.48.1',
      '198.18.0.1',
      '198.51.100.1',
    ],
    ...['203.0.113.1', '224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255'],
    ...[
      '::',
      '::1',
      '::127.0.0.1',
      '::ffff:10.0.0.1',
      '64:ff9b::10.0.0.1',
      '64:ff9b::192.168.0.1',
      '64:ff9b:1::1',
    ],
    ...[
      '100::1',
      '2001::1',
      '2001:2::1',
      '2001:db8::1',
      '2002:808:808::1',
      '2620:4f:8000::1',
      '3fff::1',
      '5f00::1',
    ],
    ...['fc00::1', 'fd12::1', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', 'x', ''],
  ]
  t.strictSame(special.filter(isPublicAddress), [])
  const common = ['8.8.8.8', '93.184.215.14', '2606:4700::1111', '2a00:1450::1', '64:ff9b::8.8.8.8']
  t.strictSame(common.filter(isPublicAddress), common)
})
