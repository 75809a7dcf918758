import { IdempotencyKey } from '@almoner/domain/access'
import { UPLOAD_FIELD } from '@almoner/domain/media'
import type * as t from 'io-ts'
import { KEY_HEADER } from '../idempotency/idempotency.ts'
import { type ResponseShape, type RouteDescription, WITH_BODY } from '../route.ts'
import { COMMON_HEADERS, etagHeader, LINK_HEADER, REPLAYED_HEADER, TOTAL_HEADER } from './headers.ts'
import { namesIn } from './path.ts'
import { type JsonSchema, objectOf, schemaOf, schemasOf } from './schema.ts'
import { faultsOf } from './shared-responses.ts'

const responseSchema = (response: Exclude<ResponseShape, { kind: 'empty' }>): JsonSchema => {
  const schema = schemaOf(response.codec)
  if (response.kind === 'one') return schema
  const { key } = response
  return objectOf({ [key]: { type: 'array', items: schema } }, undefined, true)
}

const headersOf = ({ response, method, hasETag, parameters }: RouteDescription) => ({
  ...COMMON_HEADERS,
  // A collection may hold nothing that could be tagged (C4).
  ...(hasETag ? etagHeader(response.kind === 'one') : {}),
  ...(response.kind === 'collection' && response.paged ? LINK_HEADER : {}),
  ...('count' in parameters.shape.optional ? TOTAL_HEADER : {}),
  ...(method === 'POST' ? REPLAYED_HEADER : {}),
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

const parameter = (place: 'path' | 'query', required: boolean, [name, codec]: [string, t.Mixed]) => {
  const { description, example, ...schema } = schemaOf(codec)
  return { name, in: place, required, description, schema, ...(example === undefined ? {} : { example }) }
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

const ENCODINGS = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']

const requestBody = (route: RouteDescription, inBody: ReadonlyArray<[string, t.Mixed]>) => {
  const schema = bodySchema(route, inBody)
  const encodings = route.upload === undefined && !route.files ? ENCODINGS : ['multipart/form-data']
  return { required: true, content: Object.fromEntries(encodings.map((type) => [type, { schema }])) }
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
      ...(route.method === 'GET' && route.hasETag ? { '304': unchanged } : {}),
      ...faultsOf(route),
    },
  }
}
