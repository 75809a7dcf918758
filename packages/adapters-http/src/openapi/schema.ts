import { Refined } from '@almoner/domain'
import * as t from 'io-ts'

export type JsonSchema = Readonly<Record<string, unknown>>

const objectOf = (props: t.Props): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(props).map(([name, codec]) => [name, schemaOf(codec)])),
  required: Object.keys(props),
  additionalProperties: false,
})

/**
 * The JSON Schema of a codec, read from the codec itself so that the two cannot part.
 * @throws for a kind of codec that no answer or parameter uses yet
 */
export const schemaOf = (codec: t.Mixed): JsonSchema => {
  if (codec instanceof Refined) {
    const { emptyHasMeaning: _, ...facets } = codec.facets
    return facets
  }
  if (codec instanceof t.ExactType) return schemaOf(codec.type)
  if (codec instanceof t.InterfaceType) return objectOf(codec.props as t.Props)
  if (codec instanceof t.ArrayType) return { type: 'array', items: schemaOf(codec.type) }
  if (codec instanceof t.KeyofType) return { type: 'string', enum: Object.keys(codec.keys) }
  if (codec instanceof t.StringType) return { type: 'string' }
  if (codec instanceof t.BooleanType) return { type: 'boolean' }
  if (codec === t.Int) return { type: 'integer' }
  throw new Error(`no JSON Schema for the codec ${codec.name}`)
}
