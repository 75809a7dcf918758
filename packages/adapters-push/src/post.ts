import type { Instant } from '@almoner/domain'
import { SECOND } from '@almoner/domain/values'
import * as O from 'fp-ts/lib/Option.js'
import type { Dispatcher } from 'undici'

/** The end of the time that some work is given. */
export interface Deadline {
  /** Does this when the time is over, at once if it is already; what was to be done before is forgotten. */
  onTimeout(stop: () => void): void
}

/** Calls a function after this number of milliseconds, unless the returned one is called before. */
export type StartTimer = (milliseconds: number, ring: () => void) => () => void

/** Timers of the machine. */
const startSystemTimer: StartTimer = (milliseconds, ring) => {
  const timer = setTimeout(ring, milliseconds)
  return () => clearTimeout(timer)
}

const nothing = (): void => {}

/** Runs work with a deadline. After that the result is `late`; the later result of the work is ignored. */
export type WithTimeout = <A>(late: A, work: (deadline: Deadline) => Promise<A>) => Promise<A>

/**
 * Returns a function that gives each work at most this number of milliseconds. An AbortSignal would cost a tenth of a push.
 * @param startTimer the machine's timers when left out
 */
export const withTimeoutOf =
  (milliseconds: number, startTimer: StartTimer = startSystemTimer): WithTimeout =>
  (late, work) =>
    new Promise((resolve, reject) => {
      let isOver = false
      let stop = nothing
      const cancel = startTimer(milliseconds, () => {
        isOver = true
        stop()
        resolve(late)
      })
      const onTimeout = (next: () => void): void => {
        stop = next
        if (isOver) stop()
      }
      work({ onTimeout }).then(resolve, reject).then(cancel)
    })

/** A request that is posted. */
export interface Posting {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/** What a server answered. */
export interface PostResponse {
  readonly status: number
  readonly retryAfter: string | undefined
  /** The server's clock. */
  readonly date: string | undefined
  /** Returns a header by its name in lower case. */
  readonly header: (name: string) => string | undefined
  /** The beginning of it. */
  readonly body: string
  /** Whether that is all of it. */
  readonly isWhole: boolean
}

type Headers = Readonly<Record<string, string | Array<string> | undefined>>

const first = (header: string | Array<string> | undefined): string | undefined =>
  typeof header === 'string' || header === undefined ? header : header[0]

/** An answer that comes in. */
const makeReading = (most: number) => {
  const chunks: Array<Buffer> = []
  let length = 0
  let status = 0
  let headers: Headers = {}
  const header = (name: string): string | undefined => first(headers[name])
  return {
    begin: (given: number, theirs: Headers): void => {
      // What only says that an answer will follow.
      if (given < 200) return
      status = given
      headers = theirs
    },
    /** @returns whether there is as much as is wanted */
    add: (chunk: Buffer): boolean => {
      chunks.push(chunk)
      length += chunk.length
      return length >= most
    },
    hasBegun: (): boolean => status > 0,
    answer: (isWhole: boolean): PostResponse => ({
      status,
      header,
      isWhole,
      get retryAfter() {
        return header('retry-after')
      },
      get date() {
        return header('date')
      },
      // Most pushes are accepted, and the rest of the response is not needed.
      get body() {
        return Buffer.concat(chunks).subarray(0, most).toString()
      },
    }),
  }
}

/**
 * Posts, and reads at most this number of bytes of the response. Uses undici's dispatcher directly: `request` creates a stream for each response
 * and an abort signal for each deadline, which together cost as much as the request.
 *
 * Rejects without a response. A truncated response counts, because its status has the result of the push.
 */
export const post = (
  dispatcher: Dispatcher,
  { url: { origin, pathname, search }, headers, body }: Posting,
  most: number,
  deadline: Deadline,
): Promise<PostResponse> =>
  new Promise((resolve, reject) => {
    const reading = makeReading(most)
    const path = pathname + search
    dispatcher.dispatch(
      { origin, path, method: 'POST', headers, body },
      {
        onRequestStart: (controller) => deadline.onTimeout(() => controller.abort(new Error('too late'))),
        onResponseStart: (_controller, status, headers) => reading.begin(status, headers),
        onResponseData: (controller, chunk) => {
          if (reading.add(chunk)) controller.abort(new Error('too long'))
        },
        onResponseEnd: () => resolve(reading.answer(true)),
        onResponseError: (_controller, error) => {
          if (reading.hasBegun()) resolve(reading.answer(false))
          else reject(error)
        },
      },
    )
  })

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
