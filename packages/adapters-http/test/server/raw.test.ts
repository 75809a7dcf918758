import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import { type Fixture, startFixture } from '../support/fixture.ts'
import { asResponse, seeProblem } from '../support/problems.ts'
import { exchange, readAnswer, send } from '../support/raw.ts'
import { LIBRARY_ITEM } from '../support/samples.ts'

const start = async (t: Test) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  return fixture
}

const lives = async (t: Test, fixture: Fixture) =>
  t.equal((await fixture.call('GET', '/health/live')).status, 200, 'the server still runs')

/** A request line and header fields with something wrong in them. */
const MALFORMED: Readonly<Record<string, string>> = {
  'no HTTP at all': 'hello\r\n\r\n',
  'a TLS hello': '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003\r\n\r\n',
  'HTTP/2 without upgrade': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'an unknown method': 'FETCH /library/ HTTP/1.1\r\nHost: x\r\n\r\n',
  'a method in lower case': 'get /library/ HTTP/1.1\r\nHost: x\r\n\r\n',
  'no path': 'GET  HTTP/1.1\r\nHost: x\r\n\r\n',
  'a path without a slash': 'GET library HTTP/1.1\r\nHost: x\r\n\r\n',
  'an unknown version': 'GET /library/ HTTP/3.7\r\nHost: x\r\n\r\n',
  'a blank before the colon': 'GET /library/ HTTP/1.1\r\nHost : x\r\n\r\n',
  'a field without a colon': 'GET /library/ HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n',
  'a control character in a field': 'GET /library/ HTTP/1.1\r\nHost: x\r\nX: a\u0000b\r\n\r\n',
  'a folded field': 'GET /library/ HTTP/1.1\r\nHost: x\r\nX: a\r\n b\u0001\r\n\r\n',
  'a length that is no number': 'POST /library/ HTTP/1.1\r\nHost: x\r\nContent-Length: ten\r\n\r\n',
  'a negative length': 'POST /library/ HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
  'two lengths': 'POST /library/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
  'length and chunks':
    'POST /library/ HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'an unknown transfer encoding': 'POST /library/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: nonsense\r\n\r\n',
}

t.test('I1: unreadable HTTP gets a problem, and the connection closes', async (t) => {
  const fixture = await start(t)
  for (const [about, bytes] of Object.entries(MALFORMED)) {
    const answer = await exchange(fixture.url, Buffer.from(bytes, 'latin1'))
    t.equal(answer.headers['connection'], 'close', about)
    t.equal(Number(answer.headers['content-length']), Buffer.byteLength(answer.body), `${about}: its length`)
    await seeProblem(t, asResponse(answer), 'invalid_request', about)
  }
  await lives(t, fixture)
})

t.test('I1: a malformed chunk is a problem too', async (t) => {
  const fixture = await start(t)
  const token = await fixture.token('manager')
  const head = [
    'POST /library/ HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  ].join('\r\n')
  const answer = await exchange(fixture.url, `${head}\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`)
  t.equal(answer.status, 400)
  t.match(answer.headers['content-type'], /problem\+json/)
  await lives(t, fixture)
})

t.test('I1: header fields beyond the limit are 431', async (t) => {
  const fixture = await start(t)
  for (const [about, headers] of [
    ['one long field', { 'X-Long': 'x'.repeat(100_000) }],
    [
      'many fields',
      Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`X-Many-${at}`, 'x'.repeat(100)])),
    ],
    ['a long token', { Authorization: `Bearer ${'x'.repeat(100_000)}` }],
  ] as const) {
    const answer = await send(fixture.url, 'GET', '/library/', headers)
    await seeProblem(t, asResponse(answer), 'headers_too_large', about)
  }
  await seeProblem(
    t,
    asResponse(await send(fixture.url, 'GET', `/${'x'.repeat(100_000)}`)),
    'headers_too_large',
    'a long path',
  )
  await lives(t, fixture)
})

t.test('I1: HTTP/1.1 without Host is a problem (RFC 9112 §3.2); HTTP/1.0 needs none', async (t) => {
  const fixture = await start(t)
  const without = await exchange(fixture.url, 'GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n')
  await seeProblem(t, asResponse(without), 'invalid_request')
  t.equal((await exchange(fixture.url, 'GET /health/live HTTP/1.0\r\n\r\n')).status, 200)
})

t.test('I1: an unknown expectation is ignored; 100-continue is answered', async (t) => {
  const fixture = await start(t)
  t.equal((await send(fixture.url, 'GET', '/health/live', { Expect: 'a-miracle' })).status, 200)
  const token = await fixture.token('manager')
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    Expect: '100-continue',
  }
  const answer = await send(fixture.url, 'POST', '/library/', headers, JSON.stringify(LIBRARY_ITEM))
  t.equal(answer.status, 100)
  t.equal(readAnswer(answer.body).status, 200)
})

t.test(
  'B1: a request with a Content-Type and no length has an empty body (RFC 9112 §6.3), and gets a response at once',
  async (t) => {
    const fixture = await start(t)
    const authorization = `Bearer ${await fixture.token('manager')}`
    const types = [
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/plain',
    ]
    const targets = [
      ['POST', '/library/'],
      ['POST', '/library/x'],
      ['POST', '/feed/x/media'],
      ['POST', '/feed/'],
      ['GET', '/library/'],
      ['POST', '/oauth2/get-token'],
      ['POST', '/nothing'],
    ] as const
    for (const [method, path] of targets)
      for (const type of types) {
        const headers = { Authorization: authorization, 'Content-Type': type }
        const without = await send(fixture.url, method, path, headers)
        const empty = await send(fixture.url, method, path, { ...headers, 'Content-Length': '0' })
        const told = ({ status, body }: typeof empty) => ({
          status,
          body: body.replace(/"requestId":"[^"]*"/, ''),
        })
        t.not(without.status, 0, `${method} ${path} ${type} is answered`)
        t.same(told(without), told(empty), `${method} ${path} ${type}`)
      }
  },
)

t.test('I1: a request that stops midway gets no response and does no harm', async (t) => {
  const fixture = await start(t)
  const token = await fixture.token('manager')
  const beginnings = [
    '',
    'G',
    'GET /library/ HTTP/1.1\r\nHost: x\r\n',
    `POST /library/ HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"itemTitle":`,
    `POST /feed/x/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 100\r\n\r\n--x\r\nContent-Disposition: form-data; name="itemUploadMedia"; filename="a"\r\n\r\nab`,
  ]
  const { hostname, port } = new URL(fixture.url)
  for (const bytes of beginnings)
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write(bytes, () => socket.destroy()))
      socket.on('error', () => {})
      socket.on('close', () => resolve())
    })
  await lives(t, fixture)
})

t.test('I1: random bytes never crash the server', async (t) => {
  const fixture = await start(t)
  const known = [
    'GET ',
    'POST ',
    '/library/',
    ' HTTP/1.1',
    '\r\n',
    '\r\n\r\n',
    'Host: x',
    'Content-Length: 3',
    '%',
    '?',
    '&&==',
    '\u0000',
  ]
  for (let made = 0; made < 150; made += 1) {
    const bytes = randomBytes(64)
    const pieces = [...bytes.subarray(0, 8)].map((byte) => known[byte % known.length] ?? '')
    const text =
      made % 2 === 0 ? bytes : Buffer.from(`${pieces.join('')}${bytes.toString('latin1')}`, 'latin1')
    const { status } = await exchange(fixture.url, Buffer.concat([text, Buffer.from('\r\n\r\n\r\n')]))
    if (status >= 500) t.fail(`${status} for ${text.toString('hex')}`)
  }
  await lives(t, fixture)
})

t.test('I1: pipelined requests are answered in order', async (t) => {
  const fixture = await start(t)
  const one = (path: string, close = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${close}\r\n`
  const answer = await exchange(
    fixture.url,
    one('/health/live') + one('/nothing') + one('/library/', 'Connection: close\r\n'),
  )
  t.same(
    [...answer.text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
    ['200', '404', '401'],
  )
})
