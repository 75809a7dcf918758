import { IdempotencyKey } from '@almoner/domain/access'
import { UPLOAD_FIELD } from '@almoner/domain/media'
import { readsList } from '@almoner/domain/values'
import type { FastifySchema } from 'fastify'
import type * as t from 'io-ts'
import { KEY_HEADER } from '../idempotency.ts'
import { PROBLEMS } from '../problems/problem.ts'
import { isPaged, type ResponseShape, type RouteDescription, WITH_BODY } from '../route.ts'
import {
  ALLOW_HEADER,
  COMMON_HEADERS,
  challengeHeader,
  etagHeader,
  type JsonSchema,
  LINK_HEADER,
  namesIn,
  objectOf,
  REPLAYED_HEADER,
  retryHeader,
  schemaOf,
  schemasOf,
  TOTAL_HEADER,
} from './schema.ts'

export const STRING: JsonSchema = { type: 'string' }

const PROBLEM_FIELDS = {
  type: { ...STRING, format: 'uri' },
  title: STRING,
  status: { type: 'integer' },
  detail: STRING,
  code: { ...STRING, enum: Object.keys(PROBLEMS) },
  requestId: STRING,
}
const errors = {
  type: 'array',
  items: objectOf({ field: STRING, message: STRING }),
  description: 'Every bad field of the request.',
}

const problemSchema = {
  ...objectOf({ ...PROBLEM_FIELDS, errors }, Object.keys(PROBLEM_FIELDS)),
  description: 'RFC 9457 problem details.',
}

const oauthErrorSchema = objectOf({ error: STRING, error_description: STRING }, ['error'])

/** Describes a response, with the header fields of all and `headers`. */
export const responseOf = (
  description: string,
  schema?: JsonSchema,
  { type = 'application/json', headers = {} }: { readonly type?: string; readonly headers?: object } = {},
) => ({
  description,
  headers: { ...COMMON_HEADERS, ...headers },
  ...(schema === undefined ? {} : { content: { [type]: { schema } } }),
})

/** Describes a response with a problem (I1). */
export const problemResponse = (description: string, headers: object = {}) =>
  responseOf(description, problemSchema, { type: 'application/problem+json', headers })

const oauthError = (description: string, headers: object = {}) =>
  responseOf(description, oauthErrorSchema, { headers })

const UNAVAILABLE =
  'Temporarily unavailable: nothing has changed. Without `Retry-After` the outcome of the request is unknown.'

/** The responses of many operations: problems, and OAuth's errors (I1). */
export const SHARED_RESPONSES = {
  Problem: problemResponse('Description of the problem.', ALLOW_HEADER),
  // A token that is sent twice is a bad request that RFC 6750 has a challenge for.
  Refused: problemResponse(
    'The request is not valid, or its token does not allow it.',
    challengeHeader(false),
  ),
  Unauthorized: problemResponse('The access token is missing or not valid.', challengeHeader(true)),
  Conflict: problemResponse('Reason.', retryHeader(false)),
  Busy: problemResponse('Temporarily unavailable. Retry later.', retryHeader(true)),
  Unavailable: problemResponse(UNAVAILABLE, retryHeader(false)),
  OAuthError: oauthError('Error as in RFC 6749.'),
  OAuthClientUnknown: oauthError('The client is unknown or its secret is wrong.', challengeHeader(true)),
  OAuthBusy: oauthError('Temporarily unavailable. Retry later.', retryHeader(true)),
  OAuthUnavailable: oauthError(UNAVAILABLE, retryHeader(false)),
} as const

/** Refers to a shared response. */
export const named = (name: keyof typeof SHARED_RESPONSES) => ({ $ref: `#/components/responses/${name}` })

/** The statuses of any request: a token that comes twice, is missing or not enough; a head too large; faults of the service. */
const OF_ALL = [400, 401, 403, 429, 431, 500, 503]

/** The statuses of a request with a body. */
const OF_BODIES = [408, 413, 415]

/** The statuses for an `Idempotency-Key` (I4). */
const OF_KEYS = [409, 422]

const SHARED: Readonly<Record<number, keyof typeof SHARED_RESPONSES>> = {
  400: 'Refused',
  401: 'Unauthorized',
  403: 'Refused',
  409: 'Conflict',
  429: 'Busy',
  503: 'Unavailable',
}

/** Returns the responses of a route other than success, by status; the default is 405 (I1, B3). */
const faultsOf = ({ faults = [], method }: Pick<RouteDescription, 'faults' | 'method'>) => {
  const all = new Set([
    ...faults,
    ...OF_ALL,
    ...(method === 'GET' ? [] : OF_BODIES),
    ...(method === 'POST' ? OF_KEYS : []),
  ])
  const statuses = [...all].sort((a, b) => a - b)
  return {
    ...Object.fromEntries(statuses.map((status) => [String(status), named(SHARED[status] ?? 'Problem')])),
    default: named('Problem'),
  }
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: unknown
  readonly schema: JsonSchema
  readonly example?: unknown
}

interface Header {
  readonly description: string
  readonly schema: JsonSchema
}

interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, Header>>
  readonly content?: object
}

/** The parts of an OpenAPI operation that a route's schema has too. */
export interface DocumentedOperation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: ReadonlyArray<string>
  readonly security: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: object }
  readonly responses: object
}

const property = ({ name, description, schema, example }: Parameter): readonly [string, JsonSchema] => [
  name,
  {
    ...schema,
    ...(description ? { description } : {}),
    ...(example === undefined ? {} : { examples: [example] }),
  },
]

/** Returns the schema of the parameters in one place; nothing where there are none. */
const parametersIn = (place: string, key: string, { parameters = [] }: DocumentedOperation) => {
  const found = parameters.filter((parameter) => parameter.in === place)
  if (found.length === 0) return {}
  const required = found.filter((parameter) => parameter.required).map(({ name }) => name)
  return { [key]: { type: 'object', properties: Object.fromEntries(found.map(property)), required } }
}

/** Returns a response whose reference to a shared one is resolved. */
const resolved = (response: Response | { readonly $ref: string }): Response => {
  if (!('$ref' in response)) return response
  const name = response.$ref.split('/').at(-1) as keyof typeof SHARED_RESPONSES
  return SHARED_RESPONSES[name] as Response
}

/** OpenAPI 3.0 knows no `const`. */
const headerSchema = ({ description, schema: { const: only, ...schema } }: Header): JsonSchema => ({
  ...schema,
  ...(only === undefined ? {} : { enum: [only] }),
  description,
})

const routeResponseSchema = (response: Response | { readonly $ref: string }) => {
  const { description, headers = {}, content } = resolved(response)
  return {
    description,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, header]) => [name, headerSchema(header)]),
    ),
    ...(content === undefined ? { type: 'null' } : { content }),
  }
}

/** Returns an OpenAPI operation in the form in which Fastify routes have it, which `@fastify/swagger` reads. */
export const routeSchemaOf = (operation: DocumentedOperation): FastifySchema => {
  const { operationId, summary, description, tags, requestBody, responses } = operation
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    tags,
    ...parametersIn('path', 'params', operation),
    ...parametersIn('query', 'querystring', operation),
    ...parametersIn('header', 'headers', operation),
    ...(requestBody === undefined ? {} : { body: { content: requestBody.content } }),
    response: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [status, routeResponseSchema(response)]),
    ),
  }
}

const responseSchema = (response: Exclude<ResponseShape, { kind: 'empty' }>): JsonSchema => {
  const schema = schemaOf(response.codec)
  if (response.kind === 'one') return schema
  const { key } = response
  return objectOf({ [key]: { type: 'array', items: schema } }, undefined, true)
}

/** Returns whether a response of a route may carry an ETag: a page has one (C14). */
const isTagged = (route: RouteDescription): boolean => route.hasETag !== undefined || isPaged(route)

const headersOf = (route: RouteDescription) => ({
  ...COMMON_HEADERS,
  // An empty collection of one item has no tag (C4), nor has one that is streamed (C12).
  ...(isTagged(route) ? etagHeader(route.response.kind === 'one') : {}),
  ...(isPaged(route) ? LINK_HEADER : {}),
  ...('count' in route.parameters.shape.optional ? TOTAL_HEADER : {}),
  ...(route.method === 'POST' ? REPLAYED_HEADER : {}),
})

const success = (route: RouteDescription) => ({
  description: route.response.kind === 'empty' ? 'Success. The body is empty.' : 'Success.',
  headers: headersOf(route),
  ...(route.response.kind === 'empty'
    ? {}
    : { content: { 'application/json': { schema: responseSchema(route.response) } } }),
})

const unchanged = { description: 'Not modified.', headers: { ...COMMON_HEADERS, ...etagHeader(true) } }

const props = ({ parameters }: RouteDescription): t.Props => ({
  ...parameters.shape.required,
  ...parameters.shape.optional,
})

/** How a form or query writes a list (F6). */
const COMMA_LIST = { style: 'form', explode: false }

const parameter = (place: 'path' | 'query', required: boolean, [name, codec]: [string, t.Mixed]) => {
  const { description, example, ...schema } = schemaOf(codec)
  return {
    ...{ name, in: place, required, description, schema },
    ...(schema['type'] === 'array' ? COMMA_LIST : {}),
    ...(example === undefined ? {} : { example }),
  }
}

const FILES = {
  type: 'array',
  items: { type: 'string', format: 'binary' },
  description: 'The files of a folder, each with its path as the file name, or one zip archive.',
}

const bodySchema = (route: RouteDescription, inBody: ReadonlyArray<[string, t.Mixed]>): JsonSchema => {
  const required = inBody.map(([name]) => name).filter((name) => name in route.parameters.shape.required)
  const fields = schemasOf(Object.fromEntries(inBody))
  if (route.files) return objectOf({ ...fields, files: FILES }, [...required, 'files'])
  if (route.upload === undefined) return objectOf(fields, required)
  const file = { type: 'string', format: 'binary', description: 'The image.' }
  return objectOf({ ...fields, [UPLOAD_FIELD]: file }, [...required, UPLOAD_FIELD])
}

const JSON_TYPE = 'application/json'
const ENCODINGS = [JSON_TYPE, 'application/x-www-form-urlencoded', 'multipart/form-data']

const requestBody = (route: RouteDescription, inBody: ReadonlyArray<[string, t.Mixed]>) => {
  const schema = bodySchema(route, inBody)
  const encodings = route.upload === undefined && !route.files ? ENCODINGS : ['multipart/form-data']
  const lists = inBody.filter(([, codec]) => readsList(codec)).map(([name]) => [name, COMMA_LIST] as const)
  const encoding = lists.length === 0 ? {} : { encoding: Object.fromEntries(lists) }
  const content = encodings.map((type) => [type, { schema, ...(type === JSON_TYPE ? {} : encoding) }])
  return { required: true, content: Object.fromEntries(content) }
}

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'ETag that the item must have; otherwise the response is 412 and nothing changes.',
  schema: { type: 'string' },
}

const keyHeader = () => {
  const { description, ...schema } = schemaOf(IdempotencyKey)
  return { name: KEY_HEADER, in: 'header', required: false, description, schema }
}

/** How an operation knows its caller. */
export interface OperationAccess {
  readonly description: string
  readonly security: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>
}

/** Describes access by a token (A5). */
const byToken = ({ access: { scope, role } }: RouteDescription): OperationAccess => ({
  description: `Requires the scope \`${scope}\`${role === undefined ? '' : ` and the role \`${role}\``}.`,
  security: [{ oauth2: [scope] }, { bearer: [] }, { access_token: [] }],
})

/** The OpenAPI operation of a route; callers are known by tokens unless given otherwise. */
export const operationOf = (route: RouteDescription, access: OperationAccess = byToken(route)) => {
  const inPath = namesIn(route.path)
  const all = Object.entries(props(route))
  const others = all.filter(([name]) => !inPath.includes(name))
  const isRequired = (name: string) => name in route.parameters.shape.required
  // B1
  const hasBody = WITH_BODY.has(route.method)
  const inQuery = hasBody ? [] : others
  return {
    operationId: route.operation,
    summary: route.summary,
    ...access,
    tags: [route.tag],
    parameters: [
      ...all.filter(([name]) => inPath.includes(name)).map((entry) => parameter('path', true, entry)),
      ...inQuery.map((entry) => parameter('query', isRequired(entry[0]), entry)),
      ...(route.honoursIfMatch ? [IF_MATCH] : []),
      ...(route.method === 'POST' ? [keyHeader()] : []),
    ],
    ...(hasBody ? { requestBody: requestBody(route, others) } : {}),
    responses: {
      '200': success(route),
      ...(route.method === 'GET' && isTagged(route) ? { '304': unchanged } : {}),
      ...faultsOf(route),
    },
  }
}
