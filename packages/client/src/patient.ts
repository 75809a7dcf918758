import { KEY_HEADER } from './idempotency-key.ts'
import type { Send, Time } from './ports.ts'

/** How often a request is sent again, and the seconds that the service may ask to wait for each. */
const RETRIES = 2
const LONGEST_WAIT = 30

/** 409 comes with `Retry-After` only while the first request with the same key is running. */
const BUSY: ReadonlySet<number> = new Set([409, 429, 503])

/** Seconds before a request is sent again whose answer is lost, or says nothing of waiting. */
const UNTOLD_WAIT = 1

/** Whether the service knows a request again when it comes twice. */
const isRepeatable = ({ headers }: Request): boolean => headers.has(KEY_HEADER)

/** The seconds that an answer asks to wait: a number of them, or a date (RFC 9110 §10.2.3). */
export const retryAfterOf = ({ headers }: Response, now: number): number | undefined => {
  const value = headers.get('Retry-After')
  if (value === null) return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

/**
 * Sends a request again when the service is busy and says when to come back. One with an `Idempotency-Key` is also sent again when its answer is
 * lost, or is a 503 that says nothing of coming back, as `outcome_unknown` does. Gives the last answer, or rejects as the last try did,
 * after two more tries; gives at once an answer that asks to wait for longer than half a minute.
 */
export const patient = (send: Send, { now, wait }: Time): Send => {
  /** The seconds that an answer asks to wait before the request is sent again; undefined where it is not. */
  const waitAfter = (request: Request, response: Response): number | undefined => {
    if (!BUSY.has(response.status)) return undefined
    const untold = isRepeatable(request) && response.status === 503 ? UNTOLD_WAIT : undefined
    const seconds = retryAfterOf(response, now()) ?? untold
    return seconds === undefined || seconds > LONGEST_WAIT ? undefined : seconds
  }

  /** Sends a request. Undefined where it is to be sent again, after the wait. */
  const attempt = async (request: Request): Promise<Response | undefined> => {
    const response = await send(request.clone()).catch((cause: unknown) => {
      if (!isRepeatable(request) || request.signal.aborted) throw cause
      return undefined
    })
    const seconds = response === undefined ? UNTOLD_WAIT : waitAfter(request, response)
    if (seconds === undefined) return response
    await response?.body?.cancel()
    await wait(seconds * 1000, request.signal)
    return undefined
  }

  return async (request) => {
    for (let left = RETRIES; left > 0; left -= 1) {
      const response = await attempt(request)
      if (response !== undefined) return response
    }
    return send(request)
  }
}
