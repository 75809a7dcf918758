import { type Instant, SECOND } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'

const SECONDS = /^\d+$/
/** The three forms of a date in HTTP; all are in GMT, which the last, that of asctime, does not say. */
const DATES = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
]

const momentOf = (date: string): number =>
  DATES.some((form) => form.test(date)) ? Date.parse(date.endsWith('GMT') ? date : `${date} GMT`) : Number.NaN

/** Returns the milliseconds from `now` to a date, or from the server's own `Date` where there is one: one of the two clocks may have been set (I9). */
const waitUntil = (moment: number, serverDate: string | undefined, now: Instant): number => {
  const serverNow = momentOf(serverDate?.trim() ?? '')
  return Math.max(0, moment - (Number.isNaN(serverNow) ? now : serverNow))
}

/**
 * What `Retry-After` asks for, in milliseconds from now (G5, https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3): a number of
 * seconds, or a date by the clock of the server; a date that has passed is no wait at all.
 * @param serverDate the header `Date` of the same answer
 * @returns none where there is no such header, or one that says neither
 */
export const retryAfter = (
  header: string | undefined,
  now: Instant,
  serverDate?: string,
): O.Option<number> => {
  const text = header?.trim() ?? ''
  if (SECONDS.test(text)) return O.some(Math.min(Number(text) * SECOND, Number.MAX_SAFE_INTEGER))
  const moment = momentOf(text)
  return Number.isNaN(moment) ? O.none : O.some(waitUntil(moment, serverDate, now))
}
