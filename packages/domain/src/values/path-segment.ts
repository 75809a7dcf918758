import * as E from 'fp-ts/lib/Either.js'
import { refined } from './refined.ts'

/** A segment of a path of which only the use case knows whether it counts (F3): any text. */
export const PathSegment = refined<string>('PathSegment', (text) => E.right(text), {
  type: 'string',
  description:
    'Email address of the user. Only for callers with the role `user-manager`; other callers act for the user of their access token.',
})
