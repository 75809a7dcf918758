import { IdempotencyKey } from '@almoner/domain/access'
import { UPLOAD_FIELD } from '@almoner/domain/media'
import { readsList } from '@almoner/domain/values'
import type { FastifySchema } from 'fastify'
import type * as t from 'io-ts'
import { KEY_HEADER } from '../idempotency.ts'
import { isPaged, type ResponseShape, type RouteDescription, WITH_BODY } from '../route.ts'
import { contentOf, named, SHARED_RESPONSES } from './responses.ts'
import {
  APPLIED_HEADER,
  COMMON_HEADERS,
  etagHeader,
  exampleOf,
  type JsonSchema,
  LINK_HEADER,
  memberName,
  namesIn,
  objectOf,
  REPLAYED_HEADER,
  schemaOf,
  schemasOf,
  TOTAL_HEADER,
  titled,
} from './schema.ts'

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

const responseSchema = (response: Extract<ResponseShape, { codec: t.Mixed }>): JsonSchema => {
  const schema = schemaOf(response.codec)
  if (response.kind === 'one') return schema
  const collection = objectOf({ [response.key]: { type: 'array', items: schema } }, undefined, true)
  return titled(response.codec.name.replace(/(?:Wrapper)?$/, 'Collection'), collection)
}

/** Returns whether a response of a route may carry an ETag: a page has one (C14). */
const isTagged = (route: RouteDescription): boolean => route.hasETag !== undefined || isPaged(route)

const headersOf = (route: RouteDescription) => ({
  ...COMMON_HEADERS,
  // An empty collection of one item has no tag (C4), nor has one that is streamed (C12).
  ...(isTagged(route) ? etagHeader(route.response.kind === 'one') : {}),
  ...(isPaged(route) || route.waits ? LINK_HEADER : {}),
  ...(route.waits ? APPLIED_HEADER : {}),
  ...('count' in route.parameters.shape.optional ? TOTAL_HEADER : {}),
  ...(route.method === 'POST' ? REPLAYED_HEADER : {}),
})

const ARCHIVE = { 'application/zip': { schema: { type: 'string', format: 'binary' } } }

const STEPS = {
  'application/x-ndjson': {
    schema: {
      type: 'string',
      description:
        'If `Accept` names this type: lines of JSON, `{"progress":{"step","done","of"}}` for each step, then `{"result":…}` or `{"problem":…}`.',
    },
  },
}

const contentIn = ({ response, files }: RouteDescription) => {
  if (response.kind === 'empty') return {}
  if (response.kind === 'archive') return { content: ARCHIVE }
  return { content: { 'application/json': contentOf(responseSchema(response)), ...(files && STEPS) } }
}

const success = (route: RouteDescription) => ({
  description: route.response.kind === 'empty' ? 'Success. The body is empty.' : 'Success.',
  headers: headersOf(route),
  ...contentIn(route),
})

const unchanged = { description: 'Not modified.', headers: { ...COMMON_HEADERS, ...etagHeader(true) } }

const props = ({ parameters }: RouteDescription): t.Props => ({
  ...parameters.shape.required,
  ...parameters.shape.optional,
})

/** How a form or query writes a list (F6). */
const COMMA_LIST = { style: 'form', explode: false }

const parameter = (place: 'path' | 'query', required: boolean, [name, codec]: [string, t.Mixed]) => {
  const { description, example: given, ...schema } = schemaOf(codec)
  const example = given ?? (required ? exampleOf(schema) : undefined)
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

/** Returns an example of a body: what it must have, or else the first member that it may have (I7). */
const bodyExample = (schema: JsonSchema): unknown => {
  const { required = Object.keys(schema['properties'] as object).slice(0, 1) } = schema
  return exampleOf({ ...schema, required })
}

const JSON_TYPE = 'application/json'
const ENCODINGS = [JSON_TYPE, 'application/x-www-form-urlencoded', 'multipart/form-data']

const requestBody = (route: RouteDescription, inBody: ReadonlyArray<[string, t.Mixed]>) => {
  const schema = titled(memberName('', `${route.operation}Body`), bodySchema(route, inBody))
  const encodings = route.upload === undefined && !route.files ? ENCODINGS : ['multipart/form-data']
  const lists = inBody.filter(([, codec]) => readsList(codec)).map(([name]) => [name, COMMA_LIST] as const)
  const encoding = lists.length === 0 ? {} : { encoding: Object.fromEntries(lists) }
  const content = encodings.map((type) => [
    type,
    type === JSON_TYPE ? { schema, example: bodyExample(schema) } : { schema, ...encoding },
  ])
  return { required: true, content: Object.fromEntries(content) }
}

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'ETag that the item must have; otherwise the response is 412 and nothing changes.',
  schema: { type: 'string' },
}

const PREFER = {
  name: 'Prefer',
  in: 'header',
  required: false,
  description:
    '`wait=S`: hold an empty response back for up to S seconds, at most 60, until there is a change (RFC 7240).',
  schema: { type: 'string' },
  example: 'wait=30',
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
      ...(route.waits ? [PREFER] : []),
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
