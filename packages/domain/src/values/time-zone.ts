import * as E from 'fp-ts/lib/Either.js'
import type { Branded } from './brand.ts'
import { refined } from './refined.ts'

/** A time zone by its IANA name. */
export type TimeZone = Branded<string, 'TimeZone'>

/** The zone in which days are counted unless a deployment says otherwise (B8). */
export const UTC = 'UTC' as TimeZone

const isKnown = (name: string): boolean => {
  // Without a question to Intl, whose tables take 8 MB.
  if (name === UTC) return true
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    // A RangeError is how Intl says that it does not know the name.
    return false
  }
}

/** Reads the IANA name of a time zone that this runtime knows. */
export const TimeZone = refined<TimeZone>(
  'TimeZone',
  (text) =>
    isKnown(text) ? E.right(text as TimeZone) : E.left('must be an IANA time zone such as Europe/Paris'),
  { type: 'string', description: 'IANA time zone.', example: 'Europe/Paris' },
)
