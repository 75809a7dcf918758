import { type Parameters, parseInput } from '@almoner/domain/values'
import type * as t from 'io-ts'

/** Returns the input of a use case, which must be valid. See `parseInput`. */
export const parsed = <R extends t.Props, O extends t.Props>(
  codec: Parameters<R, O>,
  input: { readonly [Name in keyof (R & O)]?: unknown },
): t.TypeOf<Parameters<R, O>> => {
  const result = parseInput(codec, input)
  if (result.ok) return result.value
  const errors = result.error.errors.map(({ field, message }) => `${field} ${message}`)
  throw new Error(`${codec.name}: ${errors.join(', ')}`)
}
