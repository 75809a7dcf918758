import { Refined } from '@almoner/domain'
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
  required,
  ...(isClosed ? { additionalProperties: false } : {}),
})

/** Returns the schemas of codecs by name. */
export const schemasOf = (codecs: t.Props): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(Object.entries(codecs).map(([name, codec]) => [name, schemaOf(codec)]))

type OptionalType = t.UnionType<[t.Mixed, t.UndefinedType]>

const isOptional = (codec: t.Mixed | undefined): codec is OptionalType =>
  codec instanceof t.UnionType && codec.types[1] === t.undefined

/**
 * Returns the JSON Schema of a codec.
 * @throws for a kind of codec that no response or parameter uses yet
 */
export const schemaOf = (codec: t.Mixed): JsonSchema => {
  if (codec instanceof Refined) {
    const { emptyHasMeaning: _, ...facets } = codec.facets
    return facets
  }
  if (codec instanceof t.ExactType) return schemaOf(codec.type)
  if (codec instanceof t.InterfaceType) {
    const props = codec.props as t.Props
    const required = Object.keys(props).filter((name) => !isOptional(props[name]))
    return objectOf(schemasOf(props), required, true)
  }
  if (isOptional(codec)) return schemaOf(codec.types[0])
  if (codec instanceof t.ArrayType) return { type: 'array', items: schemaOf(codec.type) }
  if (codec instanceof t.KeyofType) return { type: 'string', enum: Object.keys(codec.keys) }
  if (codec instanceof t.StringType) return { type: 'string' }
  if (codec instanceof t.BooleanType) return { type: 'boolean' }
  if (codec === t.Int) return { type: 'integer' }
  throw new Error(`no JSON Schema for the codec ${codec.name}`)
}
