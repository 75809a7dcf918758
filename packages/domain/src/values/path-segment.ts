import * as E from 'fp-ts/lib/Either.js'
import { refined } from './refined.ts'

/** A segment of a path of which only the use case knows whether it counts (F3): any text. */
export const PathSegment = refined<string>('PathSegment', (text) => E.right(text), {
  type: 'string',
  description:
    "The user's email address. Used for callers with the role `user-manager` only; for others the access token's user counts.",
})
