import { join } from 'node:path'
import { openApiDocument } from '@almoner/adapters-http'
import { consoleDocument } from '@almoner/adapters-http/console'
import { FEED_FIELDS, FIELD_KINDS, type Field, type FieldSet, LIBRARY_FIELDS } from '@almoner/domain/content'
import openapiTypes, { astToString, COMMENT_HEADER, type OpenAPI3 } from 'openapi-typescript'

const GENERATED = join(import.meta.dirname, '../../src/generated')

/** Returns the types of a document, without its examples. Neither version nor address of a service show in them. */
export const typesOf = async (document: unknown): Promise<string> => {
  const withoutExamples = (key: string, value: unknown) => (key === 'example' ? undefined : value)
  const plain = JSON.parse(JSON.stringify(document, withoutExamples)) as OpenAPI3
  return `${COMMENT_HEADER}${astToString(await openapiTypes(plain, { immutable: true }))}`
}

const byKind = ([, one]: [string, Field], [, other]: [string, Field]): number =>
  FIELD_KINDS.indexOf(one.kind) - FIELD_KINDS.indexOf(other.kind)

/** Returns the fields that an update repeats, in the order of forms. Images, schedules and notes stay without (C6, C15, L3). */
export const repeatedFields = (fields: FieldSet): object =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, { kind, codec }]) => codec !== undefined && !['image', 'moment', 'note'].includes(kind))
      .toSorted(byKind)
      .map(([name, { kind, codec, describes }]) => [
        name,
        {
          kind,
          maxLength: codec?.facets.maxLength,
          options: kind === 'choice' ? codec?.facets.enum : undefined,
          describes,
        },
      ]),
  )

const fieldsText = (): string =>
  [
    '// Made from the definition of fields of the domain: pnpm client:types\n\n',
    '/** The fields of publications that a form asks for and an update repeats, in their order. */\n',
    `export const LIBRARY_FIELDS = ${JSON.stringify(repeatedFields(LIBRARY_FIELDS), null, 2)} as const\n\n`,
    '/** Those of posts. */\n',
    `export const FEED_FIELDS = ${JSON.stringify(repeatedFields(FEED_FIELDS), null, 2)} as const\n`,
  ].join('')

/** Returns the types of the API's document and of the console's, made from their source: routes and codecs; and the fields of items. By their files. */
export const makeTypes = async (): Promise<ReadonlyMap<string, string>> =>
  new Map([
    [join(GENERATED, 'api.ts'), await typesOf(openApiDocument('', 'http://localhost'))],
    [join(GENERATED, 'fields.ts'), fieldsText()],
    [join(GENERATED, 'console.ts'), await typesOf(consoleDocument('', 'http://localhost'))],
  ])
