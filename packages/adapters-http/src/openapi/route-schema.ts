import type { FastifySchema } from 'fastify'
import type { JsonSchema } from './schema.ts'
import { SHARED_RESPONSES } from './shared-responses.ts'

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

const responseSchema = (response: Response | { readonly $ref: string }) => {
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
      Object.entries(responses).map(([status, response]) => [status, responseSchema(response)]),
    ),
  }
}
