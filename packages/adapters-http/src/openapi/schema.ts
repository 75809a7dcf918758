import { isDeepStrictEqual } from 'node:util'
import type { Refined } from '@almoner/domain/values'
import * as t from 'io-ts'
import { API_VERSION } from '../responses/headers.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** Marks a schema that the document has under a name. No reader of JSON sees it. */
const NAME = Symbol('name of the schema')

/** Gives a schema a name in `components.schemas` (I7). */
export const titled = (name: string, schema: JsonSchema): JsonSchema => ({ ...schema, [NAME]: name })

const entriesOf = (
  of: object,
  change: (part: unknown, key: string) => unknown,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(of).map(([key, part]) => [key, change(part, key)]))

/** Returns the name of an object that is a member of a named one; that of the member alone, in capitals as names have them, for none. */
export const memberName = (name: string, member: string): string =>
  `${name}${member.charAt(0).toUpperCase()}${member.slice(1)}`

const nameOf = (
  value: { readonly [NAME]?: string; readonly type?: unknown },
  implied: string | undefined,
): string | undefined => value[NAME] ?? (value.type === 'object' ? implied : undefined)

/**
 * Moves the named schemas of a document to `components.schemas`, and refers to them. An object without a name that belongs to a named one is
 * named after its member there, so that `renditions` of `Image` have the name `ImageRendition` (I7).
 * @throws if two different schemas have the same name
 */
export const withNamedSchemas = <Document extends { readonly components: object }>(document: Document) => {
  const schemas = new Map<string, unknown>()
  const referring = (value: unknown, implied?: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => referring(one, implied))
    if (typeof value !== 'object' || value === null) return value
    const name = nameOf(value, implied)
    const schema = entriesOf(value, (part, key) => {
      if (key === 'properties' && name !== undefined)
        return entriesOf(part as object, (member, called) => referring(member, memberName(name, called)))
      return referring(part, key === 'items' ? implied?.replace(/s$/, '') : implied)
    })
    if (name === undefined) return schema
    if (schemas.has(name) && !isDeepStrictEqual(schemas.get(name), schema))
      throw new Error(`Two schemas have the name ${name}. Give the codec of one of them another name.`)
    schemas.set(name, schema)
    return { $ref: `#/components/schemas/${name}` }
  }
  const { components, ...parts } = referring(document) as Document
  const sorted = [...schemas].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return { ...parts, components: { ...components, schemas: Object.fromEntries(sorted) } }
}

/**
 * Returns an example of a value, made of the examples of its members that are always there; undefined if one of them has none (I7).
 */
export const exampleOf = (schema: JsonSchema): unknown => {
  const { example, enum: words, const: only, anyOf, type, items, properties = {}, required = [] } = schema
  const first = example ?? only ?? (words as ReadonlyArray<unknown> | undefined)?.[0]
  if (first !== undefined) return first
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0])
  if (type === 'array') {
    const one = exampleOf(items as JsonSchema)
    return one === undefined ? undefined : [one]
  }
  if (type === 'boolean') return true
  if (type === 'integer') return schema['minimum'] ?? 1
  if (type !== 'object') return undefined
  const members = (required as ReadonlyArray<string>).map(
    (name) => [name, exampleOf((properties as Readonly<Record<string, JsonSchema>>)[name] ?? {})] as const,
  )
  return members.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(members)
}

/** Returns the schema of an object; one without `isClosed` may have other properties. */
export const objectOf = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: ReadonlyArray<string> = Object.keys(properties),
  isClosed = false,
): JsonSchema => ({
  type: 'object',
  properties,
  // OpenAPI 3.0 forbids an empty list.
  ...(required.length > 0 ? { required } : {}),
  ...(isClosed ? { additionalProperties: false } : {}),
})

/** Returns the schemas of codecs by name. */
export const schemasOf = (codecs: t.Props): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(Object.entries(codecs).map(([name, codec]) => [name, schemaOf(codec)]))

/** The kinds of codecs that routes use. The type of a codec does not tell its kind, but each carries its tag. */
type KnownCodec =
  | Refined<unknown>
  | t.ExactType<t.Any>
  | t.InterfaceType<t.Props>
  | t.ArrayType<t.Mixed>
  | t.DictionaryType<t.Mixed, t.Mixed>
  | t.KeyofType<Record<string, unknown>>
  | t.StringType
  | t.BooleanType
  | t.NullType
  | typeof t.Int
  | OptionalType
  | t.UnionType<Array<t.Mixed>>

type OptionalType = t.UnionType<[t.Mixed, t.UndefinedType]>

const isOptional = (codec: t.Mixed | undefined): codec is OptionalType => {
  const { _tag, types } = codec as Partial<OptionalType>
  return _tag === 'UnionType' && types?.[1]._tag === 'UndefinedType'
}

/** Matches a name that was given to a codec; io-ts calls all others by their form. */
const GIVEN_NAME = /^[A-Z][A-Za-z]*$/

/** Returns the JSON Schema of a codec, with the name that the codec was given (I7). */
export const schemaOf = (codec: t.Mixed): JsonSchema => {
  const schema = formOf(codec)
  const isNamed = ['object', 'string'].includes(String(schema['type'])) && GIVEN_NAME.test(codec.name)
  return isNamed && (codec as KnownCodec)._tag !== 'Refined' ? titled(codec.name, schema) : schema
}

/**
 * Returns the JSON Schema of a codec. Compares tags and not classes, because a codec may come from another copy of io-ts.
 * @throws for a kind of codec that no response or parameter uses yet
 */
const formOf = (codec: t.Mixed): JsonSchema => {
  const known = codec as KnownCodec
  switch (known._tag) {
    case 'Refined': {
      const { emptyHasMeaning: _, ...facets } = known.facets
      return facets
    }
    case 'ExactType':
      return formOf(known.type)
    case 'InterfaceType': {
      const required = Object.keys(known.props).filter((name) => !isOptional(known.props[name]))
      return objectOf(schemasOf(known.props), required, true)
    }
    case 'UnionType':
      return isOptional(known)
        ? schemaOf(known.types[0])
        : { anyOf: (known.types as ReadonlyArray<t.Mixed>).map(schemaOf) }
    case 'NullType':
      return { type: 'null' }
    case 'ArrayType':
      return { type: 'array', items: schemaOf(known.type) }
    case 'DictionaryType':
      return { type: 'object', additionalProperties: schemaOf(known.codomain) }
    case 'KeyofType':
      return { type: 'string', enum: Object.keys(known.keys) }
    case 'StringType':
      return { type: 'string' }
    case 'BooleanType':
      return { type: 'boolean' }
    case 'RefinementType':
      if (known.name === t.Int.name) return { type: 'integer' }
  }
  throw new Error(`no JSON Schema for the codec ${codec.name}`)
}

/** Describes a header field; `required` is whether every such response has it. */
const header = (description: string, required: boolean, schema: JsonSchema = {}) => ({
  description,
  required,
  schema: { type: 'string', ...schema },
})

/** The header fields of every response (I1, I2). */
export const COMMON_HEADERS = {
  'API-Version': header('Version of the API.', true, { const: API_VERSION }),
  'X-Request-Id': header('Identifier of this request, also in the log.', true, { format: 'uuid' }),
}

/** Of a response with one item (C10); not required where there may be none. */
export const etagHeader = (required: boolean) => ({
  ETag: header('Version of the item. Send it as `If-Match` with a write.', required, {
    pattern: '^"[^"]+"$',
  }),
})

const REPLAYED = 'This response is a replay of the first request with the same `Idempotency-Key`.'

/** Of the response to a POST (I4). */
export const REPLAYED_HEADER = { 'Idempotency-Replayed': header(REPLAYED, false, { const: 'true' }) }

/** Of a page that is not the last (C11). */
export const LINK_HEADER = {
  Link: header('URL of the next page with `rel="next"`, if there is one.', false, {
    pattern: '^<[^>]+>; rel="next"$',
  }),
}

/** Of a response that was, or could have been, held back (N4). */
export const APPLIED_HEADER = {
  'Preference-Applied': header('With `Prefer: wait`: the seconds that count.', false, {
    pattern: '^wait=[0-9]+$',
  }),
}

/** Of a list of items whose matching items were counted (J5). */
export const TOTAL_HEADER = {
  'X-Total-Count': header('With `count=true`: the number of matching items.', false, {
    pattern: '^[0-9]+$',
  }),
}

const CHALLENGE = 'Authentication scheme: RFC 6750, or RFC 7617 for client credentials.'

/** The challenge to a rejected caller; `required` is false where there are other reasons to reject (A5). */
export const challengeHeader = (required: boolean) => ({
  'WWW-Authenticate': header(CHALLENGE, required, { pattern: '^(Bearer|Basic) ' }),
})

/** When to try again (A8, I1); not required where this may not be wise (I5). */
export const retryHeader = (required: boolean) => ({
  'Retry-After': header('Seconds to wait before a retry.', required, { pattern: '^[0-9]+$' }),
})

/** The methods that a path takes (B3). */
export const ALLOW_HEADER = { Allow: header('With 405: the methods that the path supports.', false) }

/** A path's parameters, by name, from Fastify's form `/library/:itemId`. */
export const namesIn = (path: string): ReadonlyArray<string> =>
  [...path.matchAll(/:([A-Za-z]+)/g)].flatMap(([, name]) => (name === undefined ? [] : [name]))

const REPLACED = /:([A-Za-z]+)(?:\([^)]*\))?/g

/** The path as OpenAPI writes it: `/library/{itemId}`. */
export const templateOf = (path: string): string => path.replaceAll(REPLACED, '{$1}')

/** The path as the interface writes it: `/library/<itemId>`, and alternatives as `(cover|notification)`. */
export const interfacePathOf = (path: string): string =>
  path
    .replaceAll(/:[A-Za-z]+(\([^:()]*\))/g, (_, words: string) => words.replaceAll(/[\^$]/g, ''))
    .replaceAll(REPLACED, '<$1>')
