import { KEY_HEADER } from './idempotency-key.ts'
import type { Send, Time } from './ports.ts'

/** How often a request is sent again whose answer is lost, or says nothing of waiting. */
const UNTOLD_RETRIES = 2

/** 409 comes with `Retry-After` only while the first request with the same key is running. */
const BUSY: ReadonlySet<number> = new Set([409, 429, 503])

/** Milliseconds before a request is sent again, unless the service asks for more. */
const LEAST_PAUSE = 1000

/** Whether the service knows a request again when it comes twice. */
const isRepeatable = ({ headers }: Request): boolean => headers.has(KEY_HEADER)

/** The seconds that an answer asks to wait: a number of them, or a date (RFC 9110 §10.2.3). */
export const retryAfterOf = ({ headers }: Response, now: number): number | undefined => {
  const value = headers.get('Retry-After')
  if (value === null) return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

/** How one attempt ended. */
interface Attempt {
  /** The milliseconds that the answer asks to wait. */
  readonly told: number | undefined
  /** Whether there is no answer, or none that says what happened. */
  readonly isLost: boolean
  /** Returns the answer, or throws the failure. */
  readonly end: () => Response
  readonly response?: Response
}

/**
 * Sends a request again when the service is busy and says when to come back, as long as the waits are `maxWait` milliseconds together at
 * most. A request with an `Idempotency-Key` is also sent again, twice at most, when its answer is lost, or is a 503 that says nothing of
 * coming back, as `outcome_unknown` does. Gives the last answer, or rejects as the last try did.
 */
export const patient = (send: Send, { now, wait }: Time, maxWait: number): Send => {
  /** Returns the milliseconds that an answer asks to wait before the request is sent again; undefined if it asks nothing. */
  const toldPause = (response: Response): number | undefined => {
    const seconds = BUSY.has(response.status) ? retryAfterOf(response, now()) : undefined
    return seconds === undefined ? undefined : Math.max(seconds * 1000, LEAST_PAUSE)
  }

  const attempt = (request: Request): Promise<Attempt> =>
    send(request.clone()).then(
      (response) => {
        const told = toldPause(response)
        return { told, isLost: told === undefined && response.status === 503, end: () => response, response }
      },
      (cause: unknown) => ({
        told: undefined,
        isLost: !request.signal.aborted,
        end: () => {
          throw cause
        },
      }),
    )

  const sendUntil = async (request: Request, left: number, untold: number): Promise<Response> => {
    const { told, isLost, end, response } = await attempt(request)
    const pause = told ?? (isLost && untold > 0 ? LEAST_PAUSE : Number.POSITIVE_INFINITY)
    if (pause > left) return end()
    await response?.body?.cancel()
    await wait(pause, request.signal)
    return sendUntil(request, left - pause, isLost ? untold - 1 : untold)
  }

  return (request) => sendUntil(request, maxWait, isRepeatable(request) ? UNTOLD_RETRIES : 0)
}
