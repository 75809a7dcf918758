import { DEFAULT_POLICY } from '@almoner/domain'
import Fastify from 'fastify'
import t, { type Test } from 'tap'
import { almonerPlugin, LARGEST_HEAD, LONGEST_SEGMENT } from '../../src/index.ts'
import { bodyTimes } from '../../src/request/metered-body.ts'
import { OWN_PAGE, signIn, startConsole } from '../support/console.ts'
import { type Fixture, startFixture } from '../support/fixture.ts'
import { BOUNDARY, fileNamed, textNamed } from '../support/multipart.ts'
import { asResponse, seeProblem } from '../support/problems.ts'
import { headOf, type Line, openLine, readCounter, stillClock } from '../support/seconds.ts'
import { FIELD } from '../support/uploads.ts'

const start = async (t: Test) => {
  const clock = stillClock()
  const fixture = await startFixture(t.testdir(), { store: 'memory', everySecond: clock.everySecond })
  t.teardown(fixture.stop)
  return { clock, fixture, read: readCounter(fixture.app) }
}

type Server = Pick<Awaited<ReturnType<typeof start>>, 'clock' | 'read'>

/** Sees that nothing comes within some seconds, and a 408 after one more. */
const seeTimeout = async (t: Test, { clock, read }: Server, line: Line, seconds: number, about: string) => {
  await read([line])
  await clock.pass(seconds)
  t.equal(line.received(), '', `${about}: nothing after ${seconds} s`)
  await clock.pass(1)
  const answer = await line.closed
  t.equal(answer.headers['connection'], 'close', about)
  return answer
}

/** The beginnings of bodies, by the type that they are of. */
const BEGINNINGS = {
  'application/json': '{"itemTitle":',
  'application/x-www-form-urlencoded': 'itemTitle=a',
  [`multipart/form-data; boundary=${BOUNDARY}`]: `--${BOUNDARY}\r\n${textNamed('itemTitle')}\r\n\r\na`,
}

t.test('A9: a body must arrive within 30 s, else it is 408 and the connection closes', async (t) => {
  const server = await start(t)
  const { fixture } = server
  const token = { Authorization: `Bearer ${await fixture.token('manager')}` }
  for (const [type, bytes] of Object.entries(BEGINNINGS))
    for (const [path, headers] of [
      ['/library/', token],
      ['/feed/', {}],
      ['/notification/', {}],
    ] as const) {
      const head = { ...headers, 'Content-Type': type }
      const whole = openLine(fixture.url, headOf(path, { ...head, 'Content-Length': 1000 }) + bytes)
      const about = `${path} ${type}`
      await seeProblem(t, asResponse(await seeTimeout(t, server, whole, 30, about)), 'request_timeout', about)
      const chunk = `${bytes.length.toString(16)}\r\n${bytes}\r\n`
      const chunked = openLine(fixture.url, headOf(path, { ...head, 'Transfer-Encoding': 'chunked' }) + chunk)
      await seeProblem(
        t,
        asResponse(await seeTimeout(t, server, chunked, 30, about)),
        'request_timeout',
        about,
      )
    }
  const empty = openLine(
    fixture.url,
    headOf('/feed/', { 'Content-Type': 'application/json', 'Content-Length': 9 }),
  )
  await seeProblem(t, asResponse(await seeTimeout(t, server, empty, 30, 'no byte')), 'request_timeout')
})

t.test('A9: a body of another type that never brings a byte is 408', async (t) => {
  const server = await start(t)
  const head = { 'Content-Type': 'text/plain', 'Transfer-Encoding': 'chunked' }
  const line = openLine(server.fixture.url, headOf('/feed/', head))
  await seeProblem(t, asResponse(await seeTimeout(t, server, line, 30, 'text/plain')), 'request_timeout')
})

t.test('A9: at the OAuth endpoints the 408 has the form of RFC 6749', async (t) => {
  const server = await start(t)
  const { fixture } = server
  for (const path of ['/oauth2/get-token', '/oauth2/revoke']) {
    const head = headOf(path, { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': 100 })
    const answer = await seeTimeout(t, server, openLine(fixture.url, `${head}grant_type=`), 30, path)
    t.equal(answer.status, 408, path)
    t.match(JSON.parse(answer.body), { error: 'invalid_request', error_description: String }, path)
  }
})

t.test('A9: a body of the console must arrive in time too, with and without a session', async (t) => {
  const clock = stillClock()
  const fixture = await startConsole(t.testdir(), { store: 'memory', everySecond: clock.everySecond })
  t.teardown(fixture.stop)
  const server = { clock, read: readCounter(fixture.app) }
  const cookie = await signIn(fixture, 'editor')
  for (const [path, headers] of [
    ['/console/api/library/', { Cookie: cookie }],
    ['/console/api/sign-in/link', {}],
  ] as const) {
    const head = { ...OWN_PAGE, ...headers, 'Content-Type': 'application/json', 'Content-Length': 100 }
    const line = openLine(fixture.url, `${headOf(path, head)}{`)
    await seeProblem(t, asResponse(await seeTimeout(t, server, line, 30, path)), 'request_timeout', path)
  }
})

const FILE = `--${BOUNDARY}\r\n${fileNamed(FIELD, 'a.png')}\r\n\r\n`
const UPLOAD = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` }

/** Begins an upload of which some bytes of the file are sent. */
const beginUpload = async (fixture: Fixture, announced: number, sent: number) => {
  const headers = {
    ...UPLOAD,
    Authorization: `Bearer ${await fixture.token('manager')}`,
    'Content-Length': announced,
  }
  return openLine(fixture.url, headOf('/library/any/media/cover', headers) + FILE + 'x'.repeat(sent))
}

t.test('A9: a file must arrive at 4 KiB/s on average after its first 10 s', async (t) => {
  const server = await start(t)
  const { fixture } = server
  for (const [sent, seconds] of [
    [0, 10],
    [10 * 4096, 11],
    [20 * 4096, 21],
  ] as const) {
    const line = await beginUpload(fixture, 1_000_000, sent)
    const answer = await seeTimeout(t, server, line, seconds, `${sent} bytes`)
    await seeProblem(t, asResponse(answer), 'request_timeout', `${sent} bytes`)
  }
})

t.test('A9: a file must arrive within 300 s and 1 s for each 64 KiB announced', async (t) => {
  const server = await start(t)
  const { fixture } = server
  const line = await beginUpload(fixture, 32 * 65_536, 1_600_000)
  const answer = await seeTimeout(t, server, line, 332, '2 MiB')
  await seeProblem(t, asResponse(answer), 'request_timeout')
  t.strictSame(
    [0, 1, 65_536, 65_537, Number.NaN].map((announced) => bodyTimes(true, announced).seconds),
    [300, 301, 301, 302, 300],
  )
})

t.test('A9: the rest of a request that is refused early must arrive within 30 s too', async (t) => {
  const { clock, fixture, read } = await start(t)
  for (const [path, status] of [
    ['/library/?access_token=bad', 401],
    ['/nothing', 404],
    ['/health/live', 405],
  ] as const) {
    const head = headOf(path, { 'Content-Type': 'application/json', 'Content-Length': 1000 })
    const line = openLine(fixture.url, `${head}{`)
    await read([line])
    await clock.pass(30)
    t.notOk(line.socket.destroyed, `${path}: open for 30 s`)
    await clock.pass(1)
    t.equal((await line.closed).status, status, path)
  }
})

t.test(
  'A9: earlier requests of the connection are answered, and those in time are not affected',
  async (t) => {
    const { clock, fixture, read } = await start(t)
    const headers = { 'Content-Type': 'application/json', Expect: '100-continue' }
    const first = headOf('/feed/', { 'Content-Type': 'application/json', 'Content-Length': 2 })
    const pipelined = openLine(
      fixture.url,
      `${first}{}${headOf('/feed/', { ...headers, 'Content-Length': 9 })}{`,
    )
    while (!pipelined.received().includes('100 Continue')) await clock.pass(0)
    await clock.pass(31)
    const { text } = await pipelined.closed
    t.strictSame(
      [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
      ['401', '100', '408'],
    )
    const slow = openLine(
      fixture.url,
      `${headOf('/feed/', { 'Content-Type': 'application/json', 'Content-Length': 2 })}{`,
    )
    await read([slow])
    await clock.pass(29)
    slow.socket.write('}')
    while (slow.received() === '') await clock.pass(0)
    t.match(slow.received(), /^HTTP\/1\.1 401/, 'a body that needs 29 s')
    slow.socket.destroy()
  },
)

t.test('A9: bodies of an API within another application have the same times', async (t) => {
  const clock = stillClock()
  const { ports } = await startFixture(t.testdir(), { store: 'memory' }).then((fixture) => {
    t.teardown(fixture.stop)
    return fixture
  })
  const app = Fastify({
    routerOptions: { maxParamLength: LONGEST_SEGMENT },
    http: { maxHeaderSize: LARGEST_HEAD },
  })
  t.teardown(() => app.close())
  const almoner = { ports, policy: DEFAULT_POLICY }
  await app.register(almonerPlugin, {
    almoner,
    baseUrl: 'https://almoner.example.org',
    everySecond: clock.everySecond,
  })
  const server = { clock, read: readCounter(app) }
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const head = { 'Content-Type': 'application/json', 'Content-Length': 100 }
  const answer = await seeTimeout(t, server, openLine(url, `${headOf('/feed/', head)}{`), 30, 'embedded')
  t.match(JSON.parse(answer.body), { code: 'request_timeout' })
  const refused = openLine(url, `${headOf('/feed/?access_token=bad', head)}{`)
  await server.read([refused])
  await clock.pass(31)
  t.equal((await refused.closed).status, 401)
})

t.test('B10: a form beyond its limit is 413 before it has arrived', async (t) => {
  const server = await start(t)
  const headers = {
    ...UPLOAD,
    Authorization: `Bearer ${await server.fixture.token('manager')}`,
    'Transfer-Encoding': 'chunked',
  }
  const junk = 'x'.repeat(1_000_000)
  for (const [name, begin] of Object.entries({
    'text before the first part': '',
    'a header field of a part': `--${BOUNDARY}\r\n${textNamed('a')}\r\nX-Long: `,
    'a text': `--${BOUNDARY}\r\n${textNamed('a')}\r\n\r\n`,
  })) {
    const bytes = `${begin}${junk}`
    const line = openLine(
      server.fixture.url,
      `${headOf('/library/', headers)}${bytes.length.toString(16)}\r\n${bytes}\r\n`,
    )
    while (line.received() === '') await server.clock.pass(0)
    t.match(line.received(), /^HTTP\/1\.1 (?:413|400) /, name)
    line.socket.destroy()
  }
})
