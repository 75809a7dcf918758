import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { openApiDocument } from '../../src/index.ts'

type Json = Readonly<Record<string, unknown>>

export interface DocumentedParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: Json
}

interface DocumentedResponse {
  readonly $ref?: string
  readonly description?: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, { readonly schema: Json }>>
}

export interface BodySchema {
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
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: BodySchema }>> }
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
  }
}

/** The document as a reader of JSON sees it. */
export const readDocument = (version = '9.9.9', baseUrl = 'https://almoner.example.org'): Document =>
  JSON.parse(JSON.stringify(openApiDocument(version, baseUrl))) as Document

/** Every operation with its path and method. */
export const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )

const compile = (schema: Json): ValidateFunction => {
  const ajv = new Ajv2020({ strict: true, allErrors: true })
  addFormats.default(ajv)
  ajv.addKeyword('example')
  ajv.addFormat('binary', true)
  ajv.addFormat('password', true)
  return ajv.compile(schema)
}

const compiled = new Map<Json, ValidateFunction>()

/** Validates by a schema. OpenAPI's own words in it say nothing of the value. */
export const validatorOf = (schema: Json): ValidateFunction => {
  const validate = compiled.get(schema) ?? compile(schema)
  compiled.set(schema, validate)
  return validate
}

/** What the document says of an answer of this status; its default where it does not name the status. */
export const documentedAnswer = (document: Document, operation: DocumentedOperation, status: number) => {
  const { $ref, ...inline } = operation.responses[String(status)] ?? operation.responses['default'] ?? {}
  const named = $ref?.replace('#/components/responses/', '')
  return named === undefined ? inline : document.components.responses[named]
}

/** What an answer has that the document does not say; nothing when all is well. */
export const undocumented = async (
  document: Document,
  operation: DocumentedOperation,
  response: Response,
): Promise<ReadonlyArray<string>> => {
  const answer = documentedAnswer(document, operation, response.status)
  if (answer?.description === undefined) return [`no answer ${response.status}`]
  const type = response.headers.get('content-type')?.split(';')[0]
  const text = await response.text()
  if (answer.content === undefined) return text === '' ? [] : [`a body with ${response.status}`]
  const content = answer.content[type ?? '']
  if (content === undefined) return [`content type ${type} with ${response.status}`]
  const validate = validatorOf(content.schema)
  return validate(JSON.parse(text))
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
