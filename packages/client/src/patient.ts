import type { Send, Time } from './ports.ts'

/** How often a request is sent again, and the seconds that the service may ask to wait for each. */
const RETRIES = 2
const LONGEST_WAIT = 30

const BUSY: ReadonlySet<number> = new Set([429, 503])

/** The seconds that an answer asks to wait: a number of them, or a date (RFC 9110 §10.2.3). */
export const retryAfterOf = ({ headers }: Response, now: number): number | undefined => {
  const value = headers.get('Retry-After')
  if (value === null) return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

/**
 * Sends a request again when the service is busy and says when to come back: 429 or 503 with `Retry-After`, either of which means that
 * nothing was done, so that a write may be sent again too. Gives the last answer after two more tries, or at once one that asks to wait
 * for longer than half a minute.
 */
export const patient =
  (send: Send, { now, wait }: Time): Send =>
  async (request) => {
    for (let left = RETRIES; left > 0; left -= 1) {
      const response = await send(request.clone())
      const seconds = BUSY.has(response.status) ? retryAfterOf(response, now()) : undefined
      if (seconds === undefined || seconds > LONGEST_WAIT) return response
      await response.body?.cancel()
      await wait(seconds * 1000, request.signal)
    }
    return send(request)
  }
