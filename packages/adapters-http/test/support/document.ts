import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { consoleDocument } from '../../src/console/index.ts'
import { openApiDocument } from '../../src/index.ts'

type Json = Readonly<Record<string, unknown>>

export interface DocumentedParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: Json
}

export interface DocumentedResponse {
  readonly $ref?: string
  readonly description?: string
  readonly headers?: Readonly<Record<string, { readonly required?: boolean; readonly schema: Json }>>
  readonly content?: Readonly<Record<string, { readonly schema: Json }>>
}

export interface BodySchema extends Json {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, Json>>
  readonly required: ReadonlyArray<string>
}

export interface DocumentedOperation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: ReadonlyArray<string>
  readonly security: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>
  readonly parameters?: ReadonlyArray<DocumentedParameter>
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: BodySchema; readonly example?: unknown }>>
  }
  readonly responses: Readonly<Record<string, DocumentedResponse>>
}

export interface Document {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string }
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly tags: ReadonlyArray<{ readonly name: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, unknown>>
    readonly responses: Readonly<Record<string, DocumentedResponse>>
    readonly schemas: Readonly<Record<string, Json>>
  }
}

const asRead = (document: object): Document => JSON.parse(JSON.stringify(document))

/** The document as a reader of JSON sees it. */
export const readDocument = (version = '9.9.9', baseUrl = 'https://almoner.example.org'): Document =>
  asRead(openApiDocument(version, baseUrl))

/** Returns a document with its schemas in the place of references to them (I7). */
export const withoutReferences = (document: Document): Document => {
  const { schemas } = document.components
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline)
    if (typeof value !== 'object' || value === null) return value
    const name = '$ref' in value ? String(value.$ref).split('#/components/schemas/')[1] : undefined
    if (name !== undefined) return inline(schemas[name] ?? { not: {} })
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, inline(part)]))
  }
  return inline(document) as Document
}

const NOT_IN_CONSOLE = /^\/(?:oauth2|\.well-known|static|openapi\.json|health|metrics)/

/** The document of the console, with the operations of the API, which are there too: its own shared responses hold for both. */
export const readConsoleDocument = (): Document => {
  const document = withoutReferences(asRead(consoleDocument('9.9.9', 'https://almoner.example.org')))
  const { paths } = withoutReferences(readDocument())
  const api = Object.entries(paths).filter(([path]) => !NOT_IN_CONSOLE.test(path))
  const all = Object.fromEntries(api)
  const own = Object.entries(document.paths).map(([path, methods]) => [path, { ...all[path], ...methods }])
  return { ...document, paths: { ...all, ...Object.fromEntries(own) } }
}

/** Every operation with its path and method. */
export const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )

const ajv = new Ajv2020({ strict: true, allErrors: true })
addFormats.default(ajv)
ajv.addKeyword('example')
ajv.addFormat('binary', true)
ajv.addFormat('password', true)
// Addresses are kept as they were sent, with characters beyond ASCII (B7): IRIs, whose format few generators of clients know.
ajv.addFormat('uri', (text) => URL.canParse(text))
ajv.addFormat('uri-reference', (text) => URL.canParse(text, 'https://api.example.org'))

const compiled = new Map<Json, ValidateFunction>()

/** Validates by a schema. OpenAPI's own words in it say nothing of the value. */
export const validatorOf = (schema: Json): ValidateFunction => {
  const validate = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, validate)
  return validate
}

/** What the document says of an answer of this status; its default where it does not name the status. */
export const documentedAnswer = (document: Document, operation: DocumentedOperation, status: number) => {
  const { $ref, ...inline } = operation.responses[String(status)] ?? operation.responses['default'] ?? {}
  const named = $ref?.replace('#/components/responses/', '')
  return named === undefined ? inline : document.components.responses[named]
}
