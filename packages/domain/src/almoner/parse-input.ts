import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import {
  decode,
  type FieldError,
  fieldError,
  type Parameters,
  type RawParameters,
  type ValidationFailed,
  validationFailed,
} from '../values/parameters.ts'
import { type Result, toResult } from './result.ts'

/** Returns an error if a number or boolean stands for a value that is neither. HTTP reads it as text instead (B1). */
const typeError = (input: RawParameters, field: string, codec: t.Mixed): ReadonlyArray<FieldError> => {
  const value = input[field]
  if (typeof value !== 'number' && typeof value !== 'boolean') return []
  const decoded = codec.decode(String(value))
  const isOther = E.isRight(decoded) && typeof decoded.right !== typeof value
  return isOther ? [fieldError(field, `must not be a ${typeof value}`)] : []
}

const unknownNames = (input: RawParameters, known: ReadonlySet<string>): ReadonlyArray<FieldError> =>
  Object.keys(input)
    .filter((name) => !known.has(name))
    .map((name) => fieldError(name, 'is unknown'))

/**
 * Parses the input of a use case, and names every bad field (I1). Accepts the same values as the HTTP interface, with two differences that
 * catch mistakes in code: unknown names are errors, and a number or boolean is not read as text.
 *
 * ```ts
 * const post = parseInput(CreateFeedItem, { itemType: 'photo', itemTitle: 'A well', itemDescription: 'Clean water.' })
 * ```
 * @param codec the parameters of the use case, a constant with the name of its operation
 * @param input values by name; null and undefined count as absent
 */
export const parseInput = <R extends t.Props, O extends t.Props>(
  codec: Parameters<R, O>,
  input: { readonly [Name in keyof (R & O)]?: unknown },
): Result<ValidationFailed, t.TypeOf<Parameters<R, O>>> => {
  const decoded = decode(codec)(input)
  const [first, ...rest] = [
    ...(E.isLeft(decoded) ? decoded.left.errors : []),
    ...codec.fields.flatMap(([field, type]) => typeError(input, field, type)),
    ...unknownNames(input, new Set(codec.fields.map(([field]) => field))),
  ]
  return first === undefined ? toResult(decoded) : { ok: false, error: validationFailed([first, ...rest]) }
}
