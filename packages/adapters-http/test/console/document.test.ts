import { lint } from '@almoner/openapi-tools'
import { Validator } from '@seriousme/openapi-schema-validator'
import t from 'tap'
import { CONSOLE_ROUTES, consoleDocument } from '../../src/console/index.ts'
import { API_ROUTES } from '../../src/index.ts'
import { disagreements, type Exchange } from '../support/conformity.ts'
import { type Document, operationsOf } from '../support/document.ts'

const document = JSON.parse(JSON.stringify(consoleDocument('1.2.3', 'https://x.example.org'))) as Document

t.test('M7: the console has a separate, valid OpenAPI document', async (t) => {
  const result = await new Validator().validate(JSON.parse(JSON.stringify(document)))
  t.same([result.valid, result.errors], [true, undefined])
  t.same(document.servers, [{ url: 'https://x.example.org/console/api' }])
  t.equal(document.info.version, '1.2.3')
})

t.test('I7: redocly lint finds nothing in it', async (t) => {
  t.strictSame(await lint(document), [])
})

t.test('M7: it has the routes that only the console has; all but signing in need a session', async (t) => {
  const operations = operationsOf(document)
  const routes = CONSOLE_ROUTES.map(
    ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)(\([^)]*\))?/g, '{$1}')}`,
  )
  const open = [
    'POST /sign-in/link',
    'POST /sign-in/link/person',
    'POST /sign-in/passkey',
    'POST /sign-in/passkey/options',
    'POST /sign-in/oidc',
    'POST /sign-in/oidc/start',
    'POST /sign-in/password',
    'GET /sign-in/methods',
  ]
  const others = [
    ...open,
    ...[
      'GET /session',
      'DELETE /session',
      'PUT /session/language',
      'PUT /session/time-zone',
      ...['GET', 'PUT', 'DELETE'].map((method) => `${method} /session/waiting-feed`),
      'GET /sessions',
      'DELETE /sessions',
    ],
    ...[
      'GET /passkeys',
      'POST /passkeys',
      'PUT /passkeys/options',
      'PUT /passkeys/{id}',
      'DELETE /passkeys/{id}',
    ],
    ...[
      'GET /password',
      'PUT /password',
      'DELETE /password',
      'PUT /password/secret',
      'PUT /password/text',
      'PUT /password/recovery-codes',
    ],
    'GET /events',
  ]
  const documented = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  t.same(documented.toSorted(), [...routes, ...others].toSorted())
  const names = operations.map(({ operation }) => operation.operationId)
  t.equal(
    new Set([...names, ...API_ROUTES.map(({ operation }) => operation)]).size,
    names.length + API_ROUTES.length,
  )
  const tags = document.tags.map(({ name }) => name)
  for (const { method, path, operation } of operations) {
    const isOpen = open.includes(`${method.toUpperCase()} ${path}`)
    t.same(operation.security, isOpen ? [{}] : [{ session: [] }])
    t.ok(operation.tags.every((tag) => tags.includes(tag)))
    t.match(operation.summary, /^[A-Z].*\.$/)
  }
})

t.test(
  'M7: responses of the console are compared with its document, and those of the API there too',
  async (t) => {
    const common = {
      'api-version': '1',
      'x-request-id': '0f8fad5b-d9cb-469f-a165-70867728950e',
      'content-type': 'application/json; charset=utf-8',
    }
    const exchange = (target: string, body: unknown, over: Partial<Exchange> = {}): Exchange => ({
      ...{ method: 'GET', status: 200, headers: common },
      target,
      body: JSON.stringify(body),
      ...over,
    })
    t.match(disagreements(exchange('/console/api/copies', { copies: [{ copy: {} }] })), [/must have/])
    t.match(disagreements(exchange('/console/api/library/label', [{ label: {} }])), [/etag/, /must have/])
    t.match(disagreements(exchange('/console/api/nowhere', {})), [/not documented/])
    t.match(disagreements(exchange('/console/api/desk', {}, { status: 201 })), [/201 is not documented/])
  },
)
