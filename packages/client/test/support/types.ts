import { join } from 'node:path'
import { openApiDocument } from '@almoner/adapters-http'
import openapiTypes, { astToString, COMMENT_HEADER, type OpenAPI3 } from 'openapi-typescript'

/** Where the types are kept. */
export const TYPES_FILE = join(import.meta.dirname, '../../src/generated/api.ts')

/** The document's types as they come from its source: routes and codecs. */
export const makeTypes = async (): Promise<string> => {
  // Neither version nor address of a service show in types.
  const document = JSON.parse(JSON.stringify(openApiDocument('', 'http://localhost'))) as OpenAPI3
  return `${COMMENT_HEADER}${astToString(await openapiTypes(document, { immutable: true }))}`
}
