import { REQUIREMENTS, type Requirement, SCOPES } from '@almoner/domain/access'
import { Refined } from '@almoner/domain/values'
import { Validator } from '@seriousme/openapi-schema-validator'
import type * as io from 'io-ts'
import t from 'tap'
import { API_ROUTES, PROBLEMS, type Route } from '../../src/index.ts'
import {
  type DocumentedOperation,
  documentedAnswer,
  operationsOf,
  readDocument,
  withoutReferences,
} from '../support/document.ts'
import { BASE_URL, startFixture } from '../support/fixture.ts'

const document = withoutReferences(readDocument())

/** The path as OpenAPI writes it. */
const templateOf = (path: string): string => path.replaceAll(/:([A-Za-z]+)(\([^)]*\))?/g, '{$1}')

const operationOf = ({ method, path }: Route): DocumentedOperation => {
  const found = document.paths[templateOf(path)]?.[method.toLowerCase()]
  if (found === undefined) throw new Error(`${method} ${path} is not documented`)
  return found
}

t.test('I3: GET /openapi.json is valid OpenAPI 3.1', async (t) => {
  const fixture = await startFixture(t.testdir(), { store: 'memory' })
  t.teardown(fixture.stop)
  const response = await fixture.call('GET', '/openapi.json')
  t.equal(response.status, 200)
  t.match(response.headers.get('content-type'), /^application\/json/)
  const served = (await response.json()) as Record<string, unknown>
  t.same(served, readDocument(), 'the served document is the generated one')
  const result = await new Validator().validate(served)
  t.same([result.valid, result.errors], [true, undefined])
  t.equal(document.openapi, '3.1.0')
})

t.test('I2: the document has the version and the URL of the service', async (t) => {
  t.equal(readDocument('1.2.3').info.version, '1.2.3')
  t.same(readDocument('1', 'https://x.example.org/base').servers, [{ url: 'https://x.example.org/base' }])
  t.same(document.servers, [{ url: BASE_URL }])
  t.notOk(
    Object.keys(document.paths).some((path) => /\/v\d/.test(path)),
    'no path contains a version',
  )
})

t.test('I3: the document has every API route, the OAuth and the open routes, and no others', async (t) => {
  const documented = operationsOf(document).map(({ path, method }) => `${method.toUpperCase()} ${path}`)
  const routed = API_ROUTES.map(({ method, path }) => `${method} ${templateOf(path)}`)
  const oauth = [
    'POST /oauth2/get-token',
    'POST /oauth2/revoke',
    'GET /.well-known/oauth-authorization-server',
  ]
  const open = [
    'GET /static/media/{name}',
    'GET /static/media/r/{width}/{name}',
    'GET /static/portfolio/logo/{name}',
    'GET /static/portfolio/visual/{name}',
    'GET /openapi.json',
    'GET /health/live',
    'GET /health/ready',
    'GET /metrics',
  ]
  t.same([...documented].sort(), [...routed, ...oauth, ...open].sort())
  t.equal(new Set(documented).size, documented.length)
})

t.test('I3: each operation has a unique name, a summary and a known tag', async (t) => {
  const operations = operationsOf(document).map(({ operation }) => operation)
  t.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
  const tags = new Set(document.tags.map(({ name }) => name))
  for (const { operationId, summary, tags: own } of operations) {
    t.match(summary, /^[A-Z].*\.$/, operationId)
    t.ok(own.length === 1 && own.every((tag) => tags.has(tag)), `${operationId}: ${own}`)
  }
  for (const route of API_ROUTES) {
    const { operationId, summary, tags: own } = operationOf(route)
    t.same([operationId, summary, own], [route.operation, route.summary, [route.tag]])
  }
})

t.test(
  'A5, interface 4: each operation documents its scope and the three ways to send a token',
  async (t) => {
    t.same(Object.keys(document.components.securitySchemes).sort(), [
      'access_token',
      'basic',
      'bearer',
      'oauth2',
    ])
    t.match(document.components.securitySchemes, {
      oauth2: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: '/oauth2/get-token' } } },
      bearer: { type: 'http', scheme: 'bearer' },
      access_token: { type: 'apiKey', in: 'query', name: 'access_token' },
      basic: { type: 'http', scheme: 'basic' },
    })
    const { flows } = document.components.securitySchemes['oauth2'] as {
      flows: { clientCredentials: { scopes: object } }
    }
    t.same(Object.keys(flows.clientCredentials.scopes), SCOPES)
    for (const route of API_ROUTES) {
      t.same(
        operationOf(route).security,
        [{ oauth2: [route.access.scope] }, { bearer: [] }, { access_token: [] }],
        route.operation,
      )
      t.match(operationOf(route).description, new RegExp(`\`${route.access.scope}\``))
      t.ok(Object.values<Requirement>(REQUIREMENTS).includes(route.access))
    }
  },
)

/** What the document has to say of each parameter of a route, read from its codecs. */
const facetsOf = ({
  parameters: { shape },
}: Route): Readonly<Record<string, Readonly<Record<string, unknown>>>> => {
  const codecs: Readonly<Record<string, io.Mixed>> = { ...shape.required, ...shape.optional }
  return Object.fromEntries(
    Object.entries(codecs).map(([name, codec]) => {
      if (!(codec instanceof Refined)) throw new Error(`${codec.name} tells nothing of itself`)
      const { emptyHasMeaning: _, ...facets } = codec.facets
      return [name, facets]
    }),
  )
}

const fileOf = ({ upload }: Route): ReadonlyArray<string> => (upload === undefined ? [] : ['itemUploadMedia'])

/** What the document says of a route's parameters, by where they are. */
const documentedOf = (route: Route) => {
  const { parameters = [], requestBody } = operationOf(route)
  const bodies = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema)
  return {
    inPath: parameters.filter((one) => one.in === 'path'),
    inQuery: parameters.filter((one) => one.in === 'query'),
    bodies,
    properties: bodies[0]?.properties ?? {},
    needed: bodies[0]?.required ?? [],
  }
}

t.test('I3: every parameter of a codec is documented in one place, and no others are', async (t) => {
  for (const route of API_ROUTES) {
    const { inPath, inQuery, bodies, properties } = documentedOf(route)
    for (const other of bodies) t.same(other, bodies[0], 'the same in each encoding (B1)')
    const names = [...inPath, ...inQuery].map(({ name }) => name)
    const known = [...Object.keys(facetsOf(route)), ...fileOf(route)]
    t.same([...names, ...Object.keys(properties)].sort(), known.sort(), route.operation)
    const named = [...route.path.matchAll(/:([A-Za-z]+)/g)].map(([, name]) => name)
    t.same(inPath.map(({ name }) => name).sort(), named.sort(), `${route.operation}: those of the path`)
  }
})

t.test("I3: every documented parameter equals the codec's", async (t) => {
  for (const route of API_ROUTES) {
    const facets = facetsOf(route)
    const { inPath, inQuery, properties } = documentedOf(route)
    for (const { name, schema, description } of [...inPath, ...inQuery]) {
      const { description: told, example: _, ...rest } = facets[name] ?? {}
      t.same([schema, description], [rest, told], `${route.operation} ${name}`)
    }
    for (const [name, schema] of Object.entries(properties).filter(([one]) => !fileOf(route).includes(one)))
      t.same(schema, facets[name], `${route.operation} ${name}`)
  }
})

t.test('I3: the document lists the required parameters', async (t) => {
  for (const route of API_ROUTES) {
    const { inPath, inQuery, properties, needed } = documentedOf(route)
    const required = Object.keys(route.parameters.shape.required)
    t.ok(
      inPath.every((one) => one.required),
      `${route.operation}: all of the path`,
    )
    for (const one of inQuery)
      t.equal(one.required, required.includes(one.name), `${route.operation} ${one.name}`)
    const ofBody = required.filter((name) => name in properties)
    t.same([...needed].sort(), [...ofBody, ...fileOf(route)].sort(), `${route.operation}: of the body`)
  }
})

t.test(
  'B1: POST and PUT document their encodings, uploads only multipart, and other methods no body',
  async (t) => {
    const three = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']
    for (const route of API_ROUTES) {
      const types = Object.keys(operationOf(route).requestBody?.content ?? {})
      const expected = !['POST', 'PUT'].includes(route.method)
        ? []
        : route.upload === undefined
          ? three
          : ['multipart/form-data']
      t.same(types, expected, route.operation)
    }
  },
)

t.test('I4: every POST documents the idempotency key and its errors', async (t) => {
  for (const route of API_ROUTES) {
    const { responses, parameters = [] } = operationOf(route)
    const isPost = route.method === 'POST'
    t.equal(
      parameters.some(({ name }) => name === 'Idempotency-Key'),
      isPost,
      route.operation,
    )
    t.equal('422' in responses, isPost, `${route.operation}: 422`)
    if (isPost) t.ok('409' in responses, `${route.operation}: 409`)
  }
})

/** The lists that take `count` (F7, J1). */
const COUNTED: ReadonlyArray<string> = ['listLibraryItems', 'listFeedItems', 'listInbox']

const isPaged = ({ response }: Route): boolean => response.kind === 'collection' && response.paged

const isTagged = (route: Route): boolean => route.hasETag !== undefined || isPaged(route)

/** The header fields of a route's success. */
const headersOf = (route: Route): ReadonlyArray<string> =>
  [
    'API-Version',
    ...(isTagged(route) ? ['ETag'] : []),
    ...(route.method === 'POST' ? ['Idempotency-Replayed'] : []),
    ...(isPaged(route) || route.waits ? ['Link'] : []),
    ...(route.waits ? ['Preference-Applied'] : []),
    'X-Request-Id',
    ...(COUNTED.includes(route.operation) ? ['X-Total-Count'] : []),
  ].sort()

t.test('C10, C11, C14, I2, J5: response headers are documented where they occur', async (t) => {
  for (const route of API_ROUTES) {
    const { responses, parameters = [] } = operationOf(route)
    t.same(Object.keys(responses['200']?.headers ?? {}).sort(), headersOf(route), route.operation)
    t.equal(
      parameters.some(({ name }) => name === 'If-Match'),
      route.honoursIfMatch === true,
      `${route.operation}: If-Match`,
    )
    t.equal('412' in responses, route.honoursIfMatch === true, `${route.operation}: 412`)
    t.equal('304' in responses, isTagged(route) && route.method === 'GET', `${route.operation}: 304`)
  }
})

t.test(
  'I1, I3: errors are documented as problems with every code, OAuth errors as in RFC 6749',
  async (t) => {
    for (const route of API_ROUTES) {
      const { responses } = operationOf(route)
      const faults = Object.entries(responses).filter(([status]) => status !== '200' && status !== '304')
      t.ok(
        faults.every(([status, answer]) => {
          const documented = documentedAnswer(document, operationOf(route), Number(status))
          return answer.$ref !== undefined && documented?.content?.['application/problem+json'] !== undefined
        }),
        route.operation,
      )
      const ofBodies = route.method === 'GET' ? [] : [413, 415]
      for (const status of [
        ...(route.faults ?? []),
        ...ofBodies,
        400,
        401,
        403,
        429,
        431,
        500,
        503,
        'default',
      ])
        t.ok(String(status) in responses, `${route.operation} ${status}`)
    }
    const problem = document.components.responses['Problem']?.content?.['application/problem+json']?.schema
    t.match(problem, { properties: { code: { enum: Object.keys(PROBLEMS) } } })
    t.match(problem, { required: ['type', 'title', 'status', 'detail', 'code', 'requestId'] })
    for (const path of ['/oauth2/get-token', '/oauth2/revoke'])
      t.match(document.paths[path]?.['post']?.responses, {
        '400': { $ref: '#/components/responses/OAuthError' },
        '401': { $ref: '#/components/responses/OAuthClientUnknown' },
        '429': {},
        default: {},
      })
  },
)
