import { pino } from 'pino'
import t, { type Test } from 'tap'
import { openTracing, tracingWanted } from '../../src/logging/tracing.ts'
import { type Server, serve, type Variables } from '../support/almoner.ts'
import { attributesOf, startCollector } from '../support/collector.ts'
import { makeCurrent } from '../support/database.ts'
import { inFolder } from '../support/in-process.ts'

const CANARY = 'c4n4ry'
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'

const SERVER = 2
const CLIENT = 3

const started = async (t: Test, variables: Variables, collectorStatus?: number) => {
  const collector = await startCollector(collectorStatus)
  t.teardown(collector.stop)
  const folder = t.testdir()
  await makeCurrent(folder)
  const client = [
    'client',
    'add',
    '--json',
    '--id',
    'app',
    '--scope',
    'user user-donor',
    '--role',
    'user-manager',
  ]
  const { client_secret } = JSON.parse((await inFolder(folder, client)).out)
  const server = await serve(folder, [], { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...variables })
  const token = await fetch(`${server.url}/oauth2/get-token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'app', client_secret }),
  })
  const { access_token } = (await token.json()) as { readonly access_token: string }
  return { collector, server, secrets: [client_secret, access_token, CANARY], token: access_token }
}

const get = async (server: Server, path: string, headers: Readonly<Record<string, string>> = {}) => {
  const response = await fetch(`${server.url}${path}`, { headers })
  await response.arrayBuffer()
  return response.status
}

t.test('OpenTelemetry: a request is a span, with spans of its database operations', async (t) => {
  const { collector, server, secrets, token } = await started(t, {
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=foundation',
    OTEL_SERVICE_NAME: 'content',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  })
  const bearer = { authorization: `Bearer ${token}` }
  const caller = {
    ...bearer,
    traceparent: `00-${TRACE}-${PARENT}-01`,
    tracestate: `vendor=${CANARY}`,
    baggage: `user=${CANARY}`,
    'user-agent': CANARY,
  }
  t.equal(await get(server, '/library/?lim=1', caller), 200)
  t.equal(await get(server, '/library/?lim=1', caller), 200, 'cached responses are traced too')
  t.equal(await get(server, `/user/${CANARY}@example.org/notification/token?access_token=${token}`), 200)
  t.equal(await get(server, `/library/?lim=${CANARY}`, bearer), 400)
  t.equal(await get(server, `/nowhere/${CANARY}?${CANARY}`, bearer), 404)
  const refused = await fetch(`${server.url}/feed/`, {
    method: 'POST',
    headers: { ...bearer, 'content-type': `text/${CANARY}` },
    body: CANARY,
  })
  t.equal(refused.status, 415)
  t.equal((await server.stop()).code, 0)

  const spans = collector.spans()
  const about = (name: string) => spans.filter((span) => span.name === name)
  const [first, second] = about('GET /library/')
  t.match(first, { traceId: TRACE, parentSpanId: PARENT, kind: SERVER })
  t.match(second, { traceId: TRACE, parentSpanId: PARENT }, 'W3C Trace Context: the caller’s trace continues')
  t.strictSame(attributesOf(first ?? { attributes: [] }), {
    'http.request.method': 'GET',
    'http.route': '/library/',
    'http.response.status_code': 200,
  })
  const reads = about('database read').filter(({ parentSpanId }) => parentSpanId === first?.spanId)
  t.ok(reads.length > 0, 'database spans belong to their request')
  t.match(reads[0], { traceId: TRACE, kind: CLIENT })
  t.equal(about('GET /user/:email/notification/token').length, 1, 'the pattern, not the email')
  t.match(about('GET').map(attributesOf), [{ 'http.response.status_code': 404 }], 'no unknown path')
  t.equal(about('POST /feed/').length, 1)
  t.ok(spans.every(({ status }) => status.message === undefined))
  t.ok(collector.resources().every((one) => one['service.name'] === 'content'))
  t.match(collector.resources()[0], { 'deployment.environment.name': 'test', 'service.version': '0.1.0' })
  t.ok(
    collector.sent.every(
      ({ path, headers }) => path === '/v1/traces' && headers['x-tenant'] === 'foundation',
    ),
  )
  const all = Buffer.concat(collector.sent.map(({ body }) => body)).toString()
  for (const secret of secrets) t.notOk(all.includes(secret))
})

t.test('OpenTelemetry: protobuf is the default; a failing collector does no harm', async (t) => {
  const { collector, server, secrets, token } = await started(t, { ALMONER_WORKERS: '2' }, 400)
  t.equal(await get(server, `/user/${CANARY}@example.org/notification/token?access_token=${token}`), 200)
  const { code, err } = await server.stop()
  t.equal(code, 0)
  const all = Buffer.concat(collector.sent.map(({ body }) => body)).toString('latin1')
  t.match(all, 'GET /user/:email/notification/token')
  t.ok(collector.sent.every(({ type }) => type === 'application/x-protobuf'))
  for (const secret of secrets) t.notOk(all.includes(secret))
  t.match(err, '"msg":"traces could not be sent"')
  t.notMatch(err, collector.url)
})

t.test(
  'OpenTelemetry: the standard variables enable tracing, and nothing is loaded without them',
  async (t) => {
    const endpoint = 'http://127.0.0.1:4318'
    const cases: ReadonlyArray<readonly [Variables, object]> = [
      [{}, { kind: 'off' }],
      [{ OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'always_on' }, { kind: 'off' }],
      [{ OTEL_TRACES_EXPORTER: 'otlp' }, { kind: 'on', form: 'http/protobuf' }],
      [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint }, { kind: 'on', form: 'http/protobuf' }],
      [{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_EXPORTER: 'none' }, { kind: 'off' }],
      [{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'TRUE' }, { kind: 'off' }],
      [{ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }, { kind: 'off' }],
      [
        { OTEL_TRACES_EXPORTER: 'zipkin', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
        { kind: 'unknown', variable: 'OTEL_TRACES_EXPORTER' },
      ],
      [
        { OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
        { kind: 'unknown', variable: 'OTEL_EXPORTER_OTLP_PROTOCOL' },
      ],
      [
        {
          OTEL_TRACES_EXPORTER: 'otlp',
          OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
          OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
        },
        { kind: 'on', form: 'http/json' },
      ],
    ]
    for (const [variables, wanted] of cases)
      t.strictSame(tracingWanted(variables), wanted, JSON.stringify(variables))
    const lines: Array<string> = []
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
    t.equal(await openTracing(logger, {}), undefined)
    t.equal(await openTracing(logger, { OTEL_TRACES_EXPORTER: 'console' }), undefined)
    t.match(lines.join(''), /^[^\n]*"variable":"OTEL_TRACES_EXPORTER"[^\n]*nothing is traced[^\n]*\n$/)
  },
)
