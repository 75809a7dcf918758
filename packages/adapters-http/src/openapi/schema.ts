import type { Refined } from '@almoner/domain/values'
import * as t from 'io-ts'

export type JsonSchema = Readonly<Record<string, unknown>>

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

/**
 * Returns the JSON Schema of a codec. Compares tags and not classes, because a codec may come from another copy of io-ts.
 * @throws for a kind of codec that no response or parameter uses yet
 */
export const schemaOf = (codec: t.Mixed): JsonSchema => {
  const known = codec as KnownCodec
  switch (known._tag) {
    case 'Refined': {
      const { emptyHasMeaning: _, ...facets } = known.facets
      return facets
    }
    case 'ExactType':
      return schemaOf(known.type)
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
