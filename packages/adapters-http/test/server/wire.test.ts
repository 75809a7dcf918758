import * as TE from 'fp-ts/lib/TaskEither.js'
import t, { type Test } from 'tap'
import { type FixtureOptions, startFixture } from '../support/fixture.ts'
import { lineAbout } from '../support/log-lines.ts'
import { asResponse, fieldsOf, seeProblem } from '../support/problems.ts'
import { exchange, readAnswer, send } from '../support/raw.ts'
import { LIBRARY_ITEM } from '../support/samples.ts'

const start = async (t: Test, options: FixtureOptions = {}) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory', ...options })
  t.teardown(fixture.stop)
  return { fixture, authorization: { Authorization: `Bearer ${await fixture.token('manager')}` } }
}

const chunked = (body: string) =>
  `${body === '' ? '' : `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n`}0\r\n\r\n`

t.test('B1: Content-Encoding of a request without a body has no effect, cached or not', async (t) => {
  const { fixture, authorization } = await start(t, { store: 'sqlite' })
  for (const round of ['made', 'cached']) {
    const { status } = await send(fixture.url, 'GET', '/library/', {
      ...authorization,
      'Content-Encoding': 'gzip',
    })
    t.equal(status, 200, round)
  }
  const post = await send(fixture.url, 'POST', '/library/', { ...authorization, 'Content-Encoding': 'gzip' })
  await seeProblem(t, asResponse(post), 'invalid_request', 'parameters are missing')
})

t.test('B1: codings are compared without case', async (t) => {
  const { fixture, authorization } = await start(t)
  const create = (coding: string) =>
    send(
      fixture.url,
      'POST',
      '/library/',
      { ...authorization, 'Content-Type': 'application/json', 'Content-Encoding': coding },
      JSON.stringify(LIBRARY_ITEM),
    )
  t.equal((await create('Identity')).status, 200)
  await seeProblem(t, asResponse(await create('GZIP')), 'unsupported_media_type')
})

const part = (name: string, value: string, more = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n${more}\r\n${value}\r\n`

const MULTIPART = { 'Content-Type': 'multipart/form-data; boundary=x' }

const ITEM_PARTS = Object.entries(LIBRARY_ITEM).map(([name, value]) => part(name, value))

t.test(
  'B2: multipart fields named like members of Object.prototype are ignored like other unknown ones',
  async (t) => {
    const { fixture, authorization } = await start(t)
    const names = Object.getOwnPropertyNames(Object.prototype)
    t.ok(names.includes('__proto__'))
    const body = [...names.map((name) => part(name, 'x')), ...ITEM_PARTS, '--x--\r\n'].join('')
    const answer = await send(fixture.url, 'POST', '/library/', { ...authorization, ...MULTIPART }, body)
    t.equal(answer.status, 200)
  },
)

t.test('B1: a text part with the type application/octet-stream is a parameter', async (t) => {
  const { fixture, authorization } = await start(t)
  const type = 'Content-Type: application/octet-stream\r\n'
  const parts = Object.entries(LIBRARY_ITEM).map(([name, value]) => part(name, value, type))
  const body = `${parts.join('')}--x--\r\n`
  const answer = await send(fixture.url, 'POST', '/library/', { ...authorization, ...MULTIPART }, body)
  t.equal(answer.status, 200)
  t.match(answer.body, LIBRARY_ITEM.itemTitle)
})

t.test('B1: an empty body has no parameters, chunked or of any type', async (t) => {
  const { fixture, authorization } = await start(t)
  const length = { 'Content-Length': '0' }
  const chunks = { 'Transfer-Encoding': 'chunked' }
  for (const type of [undefined, 'text/plain', 'application/json', 'multipart/form-data; boundary=x'])
    for (const framing of [length, chunks]) {
      const headers = {
        ...authorization,
        ...framing,
        ...(type === undefined ? {} : { 'Content-Type': type }),
      }
      const rest = framing === chunks ? chunked('') : ''
      const head = Object.entries({ Host: 'x', Connection: 'close', ...headers }).map(
        ([k, v]) => `${k}: ${v}`,
      )
      const answer = await exchange(
        fixture.url,
        `POST /library/ HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${rest}`,
      )
      const problem = await seeProblem(t, asResponse(answer), 'invalid_request', JSON.stringify(headers))
      t.ok(fieldsOf(problem).includes('itemTitle'))
    }
  const full = await exchange(
    fixture.url,
    `POST /library/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: ${authorization.Authorization}\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n${chunked('x')}`,
  )
  t.equal(full.status, 415, 'a chunked body of another type that is not empty')
})

t.test('I1: an unreadable request is answered after the requests before it', async (t) => {
  const [asked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { fixture, authorization } = await start(t, {
    wrap: (ports) => ({
      ...ports,
      libraryItems: {
        ...ports.libraryItems,
        list: (query, window) =>
          TE.flatMap(() => ports.libraryItems.list(query, window))(
            TE.fromTask(async () => {
              asked.resolve()
              await gate.promise
            }),
          ),
      },
    }),
  })
  const good = `GET /library/ HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization.Authorization}\r\n\r\n`
  const unreadable = new Promise<void>((resolve) => fixture.app.server.once('clientError', () => resolve()))
  const answer = exchange(fixture.url, `${good}nonsense\r\n\r\n`)
  await Promise.all([asked.promise, unreadable])
  gate.resolve()
  const { text } = await answer
  t.same(
    [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
    ['200', '400'],
  )
  const first = readAnswer(text)
  const length = Number(first.headers['content-length'])
  t.same(JSON.parse(first.body.slice(0, length)), { items: [] }, 'the first response is complete')
  const second = readAnswer(first.body.slice(length))
  await seeProblem(t, asResponse(second), 'invalid_request')
  t.equal(second.headers['connection'], 'close')
})

t.test('B3: OPTIONS * lists the methods of the server', async (t) => {
  for (const corsOrigins of [undefined, ['https://app.example.org']]) {
    const { fixture } = await start(t, { corsOrigins })
    const answer = await send(fixture.url, 'OPTIONS', '*')
    t.equal(answer.status, 204)
    t.strictSame(answer.headers['allow']?.split(', ').sort(), [
      'DELETE',
      'GET',
      'HEAD',
      'OPTIONS',
      'POST',
      'PUT',
    ])
    t.equal((await send(fixture.url, 'OPTIONS', '/nothing')).status, 404, 'other unknown paths stay 404')
  }
})

t.test('I1: an undecodable path is rejected with CORS headers, a log line and a metric', async (t) => {
  const origin = 'https://app.example.org'
  const { fixture } = await start(t, { corsOrigins: [origin, 'https://other.example.org'] })
  const answer = await send(fixture.url, 'GET', '/library/%ZZ', { Origin: origin })
  await seeProblem(t, asResponse(answer), 'invalid_request')
  t.equal(answer.headers['access-control-allow-origin'], origin)
  t.match(answer.headers['access-control-expose-headers'], /X-Request-Id/)
  t.match(answer.headers['vary'], /Origin/)
  t.match(await lineAbout(fixture.lines, asResponse(answer)), { msg: 'answered', status: 400 })
  const foreign = await send(fixture.url, 'GET', '/library/%ZZ', { Origin: 'https://evil.example.org' })
  t.equal(foreign.headers['access-control-allow-origin'], undefined)
  const figures = await (await fixture.call('GET', '/metrics')).text()
  t.match(figures, /method="GET",route="unknown",status="400"\} 2/)
})
