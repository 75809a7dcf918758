import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { MIGRATIONS } from '@almoner/adapters-kysely'
import { done } from '@almoner/testkit/contracts'
import t from 'tap'
import { almoner, logLines, type Server, serve } from '../support/almoner.ts'
import { call } from '../support/asking.ts'
import { addClient, get, tokenOf } from '../support/client.ts'
import { makeOlder, onStore } from '../support/database.ts'
import { inFolder } from '../support/in-process.ts'

/** A request whose last byte is not sent yet. */
const halfRequest = async (url: string): Promise<Socket> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const head = [
    'POST /oauth2/get-token HTTP/1.1',
    'Host: almoner',
    'Content-Length: 10',
    'Expect: 100-continue',
  ]
  socket.write(`${head.join('\r\n')}\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n`)
  // The server has taken the request when it asks for the body.
  await once(socket, 'data')
  return socket
}

t.test('serve logs one listening line with the url, before any request, and SIGTERM is exit 0', async (t) => {
  const server = await serve(t.testdir())
  t.match(server.url, /^http:\/\/127\.0\.0\.1:[1-9]\d*$/, 'the real port')
  t.equal((await call(`${server.url}/health/live`)).status, 200)
  const { code, out, err } = await server.stop()
  t.strictSame([code, out], [0, ''])
  const lines = logLines(err)
  t.equal(lines.filter(({ msg }) => msg === 'listening').length, 1)
  t.equal(lines[0]?.['msg'], 'listening')
  t.equal(lines.length, err.trimEnd().split('\n').length, 'every line is JSON')
})

t.test('SIGINT is exit 0 too, and the listening line is logged at every log level', async (t) => {
  const server = await serve(t.testdir(), [], { ALMONER_LOG_LEVEL: 'fatal' })
  server.signal('SIGINT')
  const { code, err } = await server.ended
  t.equal(code, 0)
  t.strictSame(
    logLines(err).map(({ msg }) => msg),
    ['listening'],
  )
})

/** More requests than a pipe and its reader take the lines of. */
const UNREAD = 2000

const askUnread = async ({ url, ignore }: Server): Promise<void> => {
  ignore()
  for (let count = 0; count < UNREAD; count += 40)
    await Promise.all(Array.from({ length: 40 }, () => call(`${url}/health/live`)))
}

t.test('a log without a reader blocks no request, and is complete when it is read', async (t) => {
  const server = await serve(t.testdir())
  await askUnread(server)
  server.heed()
  const { code, err } = await server.stop()
  t.equal(code, 0)
  t.equal(logLines(err).filter(({ msg }) => msg === 'answered').length, UNREAD)
})

t.test(
  'a log without a reader keeps no process from exiting, nor the primary of several workers',
  async (t) => {
    const server = await serve(t.testdir(), [], { ALMONER_WORKERS: '2' })
    await askUnread(server)
    server.signal('SIGTERM')
    await server.gone
    server.heed()
    t.equal((await server.ended).code, 0)
  },
)

t.test('SIGTERM: running requests are finished, new ones are not accepted', async (t) => {
  const server = await serve(t.testdir())
  const socket = await halfRequest(server.url)
  server.signal('SIGTERM')
  await server.logged('"msg":"stopping"')
  await t.rejects(call(`${server.url}/health/live`))
  socket.write('grant_type')
  const answer = Buffer.concat(await socket.toArray()).toString()
  t.match(answer, /^HTTP\/1\.1 400 /)
  t.match(answer, '"error":"invalid_request"')
  t.equal((await server.ended).code, 0)
})

t.test(
  'ALMONER_DRAIN: after a stop signal, readiness fails and requests are accepted until load balancers notice',
  async (t) => {
    const server = await serve(t.testdir(), [], { ALMONER_DRAIN: '1' })
    server.signal('SIGTERM')
    await server.logged('"msg":"stopping"')
    const ready = await call(`${server.url}/health/ready`)
    t.equal(ready.status, 503)
    t.equal((await call(`${server.url}/health/live`)).status, 200)
    t.equal((await server.ended).code, 0)
  },
)

t.test('a second signal, later than an echo of the first, ends the process at once', async (t) => {
  const server = await serve(t.testdir())
  const socket = await halfRequest(server.url)
  const again = setInterval(() => server.signal('SIGTERM'), 50)
  t.teardown(() => clearInterval(again))
  t.equal((await server.ended).code, 1)
  socket.destroy()
})

t.test('a port in use is exit 1 with one clear line', async (t) => {
  const folder = t.testdir()
  const server = await serve(folder)
  const { port, host } = new URL(server.url)
  const metrics = '127.0.0.1:0'
  for (const taken of [
    { ALMONER_PORT: port, ALMONER_METRICS: metrics },
    { ALMONER_PORT: '0', ALMONER_METRICS: host },
  ]) {
    const { code, out, err } = await almoner(folder, ['serve'], taken)
    t.strictSame([code, out], [1, ''])
    t.match(err, /^almoner: the server cannot listen: [^\n]*EADDRINUSE[^\n]*\n$/)
  }
  await server.stop()
})

t.test('serve upgrades an older schema, and creates neither clients nor content', async (t) => {
  const folder = t.testdir()
  await makeOlder(folder)
  const server = await serve(folder)
  t.equal((await call(`${server.url}/health/ready`)).status, 200)
  const migrated = ({ err }: { readonly err: string }) =>
    logLines(err).filter(({ msg }) => msg === 'migrating the database')
  t.match(
    migrated(await server.stop()),
    MIGRATIONS.map(({ name }) => ({ migration: name })),
  )
  await onStore(folder, async ({ clients, labels }) => {
    t.strictSame([await done(clients.all()), await done(labels.all())], [[], []])
  })
  const fresh = await serve(t.testdir())
  t.strictSame(migrated(await fresh.stop()), [], 'a new database is made without a word')
})

t.test('I3: not ready when images cannot be stored', async (t) => {
  const folder = t.testdir()
  const server = await serve(folder)
  rmSync(join(folder, 'data/media'), { recursive: true })
  t.equal((await call(`${server.url}/health/ready`)).status, 503)
  t.equal((await call(`${server.url}/health/live`)).status, 200)
  await server.stop()
})

t.test('Settings: the base URL begins every absolute URL', async (t) => {
  const server = await serve(t.testdir(), [], { ALMONER_BASE_URL: 'https://example.org/content/' })
  t.match(server.url, /^http:\/\/127\.0\.0\.1:[1-9]\d*$/, 'the listening URL')
  const document = await (await call(`${server.url}/openapi.json`)).json()
  t.match(document, { servers: [{ url: 'https://example.org/content' }] })
  await server.stop()
  const { err } = server.said()
  t.equal(logLines(err)[0]?.['baseUrl'], 'https://example.org/content')
})

t.test('Settings: token lifetime, rate limit and CORS reach the server', async (t) => {
  const folder = t.testdir()
  const client = await addClient(folder, 'app', 'user')
  const server = await serve(folder, [], {
    ALMONER_TOKEN_TTL: '61',
    ALMONER_RATE_LIMIT: '2/min',
    ALMONER_CORS_ORIGINS: 'https://app.example.org',
  })
  const { access_token, expires_in } = await tokenOf(server.url, client)
  t.equal(expires_in, 61)
  const statuses = []
  for (const _ of [1, 2, 3]) statuses.push((await get(`${server.url}/library/`, access_token)).status)
  t.strictSame(statuses, [200, 200, 429])
  const origin = 'https://app.example.org'
  const answer = await call(`${server.url}/health/live`, { headers: { origin } })
  t.equal(answer.headers.get('access-control-allow-origin'), origin)
  await server.stop()
})

t.test('A6: tokens survive a restart; disabling a client invalidates them at once', async (t) => {
  const folder = t.testdir()
  const client = await addClient(folder, 'app', 'user')
  const before = await serve(folder)
  const { access_token } = await tokenOf(before.url, client)
  await before.stop()
  const listed = await inFolder(folder, ['client', 'list', '--json'])
  t.match(JSON.parse(listed.out), [{ lastUsedAt: /^\d{4}-/ }], 'its last use is stored at the end')
  const after = await serve(folder)
  t.equal((await get(`${after.url}/library/`, access_token)).status, 200)
  await almoner(folder, ['client', 'disable', 'app'])
  t.equal((await get(`${after.url}/library/`, access_token)).status, 401)
  await after.stop()
})

t.test('I3: metrics can be on the main port, on their own port, or off', async (t) => {
  const statusOf = async (url: string) => (await call(url)).status
  const on = await serve(t.testdir())
  t.equal(await statusOf(`${on.url}/metrics`), 200)
  await on.stop()
  const off = await serve(t.testdirName, [], { ALMONER_METRICS: 'off' })
  t.equal(await statusOf(`${off.url}/metrics`), 404)
  await off.stop()
  const apart = await serve(t.testdirName, [], { ALMONER_METRICS: '127.0.0.1:0' })
  t.equal(await statusOf(`${apart.url}/metrics`), 404)
  const line = logLines(apart.said().err).find(({ msg }) => msg === 'metrics listening')
  // A separate server, which is not in the document.
  const figures = await fetch(`${line?.['url']}/metrics`)
  t.match([figures.status, await figures.text()], [200, /^# HELP /])
  t.equal((await fetch(`${line?.['url']}/library/`)).status, 404)
  t.equal((await apart.stop()).code, 0)
})
