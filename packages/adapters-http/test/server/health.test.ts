import { folderImageFiles } from '@almoner/adapters-media'
import { DEFAULT_POLICY } from '@almoner/domain'
import t from 'tap'
import { buildServer, METRICS_PATH, makeMetrics, serveMetrics } from '../../src/index.ts'
import { startFixture } from '../support/fixture.ts'
import { lineAbout } from '../support/log-lines.ts'
import { seeProblem } from '../support/problems.ts'
import { send } from '../support/raw.ts'
import { newLibraryItem } from '../support/samples.ts'

t.test('I3: /health/live reports that the process runs, /health/ready that it can work', async (t) => {
  let reason: Error | undefined
  let degraded: ReadonlyArray<string> = []
  const ready = async () => {
    if (reason !== undefined) throw reason
    return degraded
  }
  const fixture = await startFixture(t.testdir(), { store: 'memory', ready })
  t.teardown(fixture.stop)
  for (const [path, status] of [
    ['/health/live', 'live'],
    ['/health/ready', 'ready'],
  ] as const) {
    const response = await fixture.call('GET', path)
    t.equal(response.status, 200)
    t.match(response.headers.get('content-type'), /^application\/json/)
    t.same(await response.json(), { status })
    const head = await fixture.call('HEAD', path)
    t.same([head.status, await head.text()], [200, ''])
  }

  degraded = ['push by fcm is paused']
  const half = await fixture.call('GET', '/health/ready')
  t.equal(half.status, 200, 'requests are served as before')
  t.same(await half.json(), { status: 'ready', degraded })
  degraded = []

  reason = new Error('the disk of almoner.db is full')
  const failing = await fixture.call('GET', '/health/ready')
  t.equal(failing.headers.get('retry-after'), '5')
  const problem = await seeProblem(t, failing, 'unavailable', 'not ready')
  t.notMatch(JSON.stringify(problem), /disk|almoner\.db/, 'the reason is only logged')
  t.match(await lineAbout(fixture.lines, failing), { level: 50, err: { message: /disk/ } })
  t.equal((await fixture.call('HEAD', '/health/ready')).status, 503)
  t.equal((await fixture.call('GET', '/health/live')).status, 200, 'the process still runs')
  reason = undefined
  t.equal((await fixture.call('GET', '/health/ready')).status, 200)
})

t.test('I3: /metrics has the format of Prometheus, and names routes by their patterns', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  const id = await newLibraryItem(fixture)
  for (const [method, path] of [
    ['GET', `/library/${id}`],
    ['GET', '/library/very-secret-id?access_token=very-secret-token'],
    ['POST', '/library/very-secret-id'],
    ['DELETE', '/library/very-secret-id/label/very-secret-label'],
    ['PUT', '/library/very-secret-id'],
    ['GET', '/very-secret-path'],
    ['POST', '/very/secret/path'],
    ['OPTIONS', '/feed/very-secret-id/media'],
    ['GET', '/static/media/very-secret-name.png'],
    ['GET', '/library/%ZZvery-secret'],
  ] as const)
    await send(fixture.url, method, path)
  const response = await fixture.call('GET', '/metrics')
  t.match(response.headers.get('content-type'), /^text\/plain; version=0\.0\.4/)
  const text = await response.text()
  t.notMatch(text, /secret/, 'no URL')
  t.notOk(text.includes(id))
  for (const line of [
    'almoner_http_request_duration_seconds_count{method="GET",route="/library/:itemId",status="401"} 2',
    'almoner_http_request_duration_seconds_count{method="PUT",route="/library/:itemId",status="405"} 1',
    'almoner_http_request_duration_seconds_count{method="GET",route="unknown",status="404"} 2',
    'almoner_http_request_duration_seconds_count{method="POST",route="unknown",status="404"} 1',
    'almoner_http_request_duration_seconds_count{method="POST",route="/library/",status="200"} 1',
  ])
    t.ok(text.includes(line), line)
  for (const name of [
    'process_cpu_seconds_total',
    'nodejs_heap_size_used_bytes',
    'nodejs_eventloop_lag_p99_seconds',
  ])
    t.ok(text.includes(`# TYPE ${name}`), name)
  t.ok(
    text.split('\n').every((line) => /^(#.*|[a-z_0-9]+(\{[^}]*\})? \S+|)$/.test(line)),
    'every line has the format',
  )
})

t.test('I3: /metrics has one spelling, so that a proxy can block it completely', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  t.equal((await send(fixture.url, 'GET', '/metrics?x=1')).status, 200)
  for (const path of [
    '/metrics/',
    '/metrics/?x=1',
    '/%6Detrics',
    '/metric%73/',
    '/metrics#',
    '/metrics%2F',
    '//metrics',
  ])
    for (const method of ['GET', 'HEAD']) {
      const { status, text } = await send(fixture.url, method, path)
      t.equal(status, 404, `${method} ${path}`)
      t.notMatch(text, /almoner_http/)
    }
})

t.test('I3: metrics can be left out, or served by a separate application', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  const pieces = {
    ports: fixture.ports,
    policy: { ...DEFAULT_POLICY, tokenTtl: 60 },
    baseUrl: () => fixture.url,
    media: { files: folderImageFiles(fixture.mediaFolder) },
    version: '1',
    ready: async () => [],
  }
  const { pino } = await import('pino')
  const { app, metrics } = await buildServer({ ...pieces, logger: pino({ level: 'silent' }), metrics: false })
  t.teardown(() => app.close())
  t.equal((await app.inject('/health/live')).statusCode, 200)
  t.equal((await app.inject(METRICS_PATH)).statusCode, 404)
  t.match(
    await metrics.registry.metrics(),
    /route="\/health\/live",status="200"\} 1/,
    'they are still collected',
  )

  const { default: Fastify } = await import('fastify')
  const own = Fastify()
  t.teardown(() => own.close())
  serveMetrics(own, makeMetrics())
  t.match((await own.inject('/metrics')).body, /almoner_http_request_duration_seconds/)
})
