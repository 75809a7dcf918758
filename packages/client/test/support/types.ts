import { join } from 'node:path'
import { openApiDocument } from '@almoner/adapters-http'
import { consoleDocument } from '@almoner/adapters-http/console'
import openapiTypes, { astToString, COMMENT_HEADER, type OpenAPI3 } from 'openapi-typescript'

const GENERATED = join(import.meta.dirname, '../../src/generated')

// Neither version nor address of a service show in types.
const typesOf = async (document: unknown): Promise<string> => {
  const plain = JSON.parse(JSON.stringify(document)) as OpenAPI3
  return `${COMMENT_HEADER}${astToString(await openapiTypes(plain, { immutable: true }))}`
}

/** Returns the types of the API's document and of the console's, made from their source: routes and codecs. By their files. */
export const makeTypes = async (): Promise<ReadonlyMap<string, string>> =>
  new Map([
    [join(GENERATED, 'api.ts'), await typesOf(openApiDocument('', 'http://localhost'))],
    [join(GENERATED, 'console.ts'), await typesOf(consoleDocument('', 'http://localhost'))],
  ])
