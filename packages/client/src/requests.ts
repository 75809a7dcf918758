import type { Send, Time } from './tokens.ts'

/** What cannot be one part of a path: an address would lead elsewhere with it, encoded or not. */
const ELSEWHERE: ReadonlySet<string> = new Set(['', '.', '..'])

/**
 * A path of the document with its names filled in.
 * @throws RangeError for a value that would lead to another path
 */
export const filledPath = (path: string, values: Readonly<Record<string, unknown>>): string =>
  path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = String(values[name] ?? '')
    if (ELSEWHERE.has(value)) throw new RangeError(`${name} cannot stand in a path`)
    return encodeURIComponent(value)
  })

/** Matches a tag of an item: its id, revision and digest, and what proxies that compress make of it (C13). */
const PROXIED = /^(?:W\/)?("[^"]+\.\d+\.[\w-]{8})(?:-gzip|-br|-zstd|--gzip|;gzip)?"$/

/** Returns the ETag of an answer as the service wrote it, so that two answers about one version have equal tags; any other as it came. */
export const etagIn = (headers: Headers): string | undefined => {
  const sent = headers.get('ETag') ?? undefined
  const [, own] = PROXIED.exec(sent ?? '') ?? []
  return own === undefined ? sent : `${own}"`
}

/** The header field that makes a POST safe to repeat (I4). */
export const KEY_HEADER = 'Idempotency-Key'

/** Returns a key of 128 random bits. `crypto.randomUUID` is missing in pages that come without TLS. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

/** Matches the links of a `Link` header: a URL in angle brackets and its parameters (RFC 8288 §3). */
const LINK = /<([^<>]*)>([^<]*)/g

/** Whether the parameters of a link have `next` in their `rel`. */
const isNext = (said: string): boolean =>
  said.split(/[;,]/).some((parameter) => {
    const [name = '', value = ''] = parameter.split('=')
    const words = value.replaceAll('"', '').toLowerCase().split(/\s/)
    return name.trim().toLowerCase() === 'rel' && words.includes('next')
  })

/**
 * The query of the page after this one, from what `Link` leads to (C11). Of the address only the query is used: the token goes nowhere
 * else than where the client was told the service is.
 */
export const nextQuery = (headers: Headers): Readonly<Record<string, string>> | undefined => {
  for (const [, address = '', said = ''] of (headers.get('Link') ?? '').matchAll(LINK))
    if (isNext(said)) return Object.fromEntries(new URL(address, 'http://localhost').searchParams)
  return undefined
}

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
