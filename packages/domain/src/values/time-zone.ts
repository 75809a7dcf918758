import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { refined } from './refined.ts'

interface TimeZoneBrand {
  readonly TimeZone: unique symbol
}
/** A time zone by its IANA name. */
export type TimeZone = t.Branded<string, TimeZoneBrand>

const isKnown = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    // A RangeError is how Intl says that it does not know the name.
    return false
  }
}

export const TimeZone = refined<TimeZone>(
  'TimeZone',
  (text) =>
    isKnown(text) ? E.right(text as TimeZone) : E.left('must be an IANA time zone such as Europe/Paris'),
  { type: 'string', description: 'IANA time zone.', example: 'Europe/Paris' },
)

/** The zone in which days are counted unless a deployment says otherwise (B8). */
export const UTC = 'UTC' as TimeZone
