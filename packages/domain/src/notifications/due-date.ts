import * as E from 'fp-ts/lib/Either.js'
import { refined } from '../values/refined.ts'
import { type Instant, instant, SECOND } from '../values/time.ts'

/** 9999-12-31T23:59:59Z, in UNIX seconds: what lies beyond was meant as milliseconds. */
const LAST = 253_402_300_799

/** `date`: the publication datetime in UNIX seconds, leading zeros allowed (G2). */
export const DueDate = refined<Instant>(
  'DueDate',
  (text) =>
    /^\d+$/.test(text) && Number(text) <= LAST
      ? E.right(instant(Number(text) * SECOND))
      : E.left(`must be a UNIX timestamp in whole seconds, from 0 to ${LAST}`),
  {
    type: 'string',
    description: 'Time of sending as a UNIX timestamp in seconds. Without it the notification is never sent.',
    pattern: '^[0-9]+$',
    example: '1893456000',
  },
)

/** `YYYY-MM-DD HH:MM:SS`, in UTC (G1). */
export const toDateTime = (moment: Instant): string =>
  new Date(moment).toISOString().slice(0, 19).replace('T', ' ')
