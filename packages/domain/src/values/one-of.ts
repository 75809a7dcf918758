import * as E from 'fp-ts/lib/Either.js'
import { type Refined, refined } from './refined.ts'

/** A codec for one of a few names, matched exactly (B6). */
export const oneOf = <A extends string>(
  name: string,
  names: ReadonlyArray<A>,
  description: string,
): Refined<A> =>
  refined(
    name,
    (text) => {
      const found = names.find((candidate) => candidate === text)
      return found === undefined ? E.left(`must be one of ${names.join(', ')}`) : E.right(found)
    },
    { type: 'string', description, enum: names },
  )
