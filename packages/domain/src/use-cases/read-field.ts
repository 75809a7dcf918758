import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { decode, parameters, type RawParameters } from '../values/parameters.ts'

/** One parameter of a request that is refused anyway: undefined when it is left out or cannot be read. */
export const readField = <A>(
  codec: t.Type<A, unknown, unknown>,
  raw: RawParameters,
  field: string,
): A | undefined => {
  const read = decode(parameters({ name: field, required: {}, optional: { value: codec } }))({
    value: raw[field],
  })
  return E.isRight(read) ? read.right.value : undefined
}
