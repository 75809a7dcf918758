import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { decode, parameters } from '../values/parameters.ts'
import { isRow } from './read-tables.ts'

/**
 * Reads one column of rows independently of other errors, so that all errors are reported at once (H1). Returns undefined where the column is
 * absent or invalid.
 */
export const readColumn = <A>(
  column: string,
  codec: t.Type<A, unknown, unknown>,
): ((row: unknown) => A | undefined) => {
  const read = decode(parameters({ name: column, required: {}, optional: { value: codec } }))
  return (row) => {
    const value = isRow(row) ? read({ value: row[column] }) : E.left(undefined)
    return E.isRight(value) ? value.right.value : undefined
  }
}
