/** Sends a request, as `fetch` does. */
export type Send = (request: Request) => Promise<Response>

/** Time, as the client knows it. */
export interface Time {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Resolves after some milliseconds, or rejects with the signal's reason when that comes first. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** The machine's own time. */
export const machineTime: Time = {
  now: () => Date.now(),
  wait: (milliseconds, signal) => {
    let timer: ReturnType<typeof setTimeout>
    const over = new Promise<void>((resolve) => {
      // A longer time would be over at once.
      timer = setTimeout(resolve, Math.min(milliseconds, 2 ** 31 - 1))
    })
    // An unused timer would keep the process alive.
    return orAborted(over, signal).finally(() => clearTimeout(timer))
  },
}

/** Resolves like the promise, or rejects with the signal's reason if that comes first. The promise itself continues for its other users. */
const orAborted = <A>(promise: Promise<A>, signal: AbortSignal): Promise<A> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })

/** Does something with a signal that aborts after some milliseconds, or with another one. Not all platforms have `AbortSignal.any`. */
export const within = async <A>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  act: (signal: AbortSignal) => Promise<A>,
): Promise<A> => {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  const timer = setTimeout(() => controller.abort(new Error('No answer has come in time.')), milliseconds)
  signal?.addEventListener('abort', abort)
  try {
    if (signal?.aborted) abort()
    return await act(controller.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/** An access token as the token endpoint answers it (A4). */
export interface AccessToken {
  readonly access_token: string
  /** Seconds that it lives. Without them it is used until the service refuses it. */
  readonly expires_in?: number
}

/** The token that requests are sent with, renewed when it is about to end. */
interface Tokens {
  /** A token that still lives, other than one that was refused. Rejects as obtaining it does. */
  readonly get: (refused?: string) => Promise<string>
  /** The token at hand, which is then forgotten. */
  readonly take: () => string | undefined
}

/** Gives a token, or gives up when the signal says so. */
export type Obtain = (signal: AbortSignal) => Promise<AccessToken>

/** Milliseconds after which a source of tokens counts as unavailable. */
export const PATIENCE = 30_000

/** A token is renewed this long before its end, in milliseconds, or for the last tenth of its life where that is shorter. */
const AHEAD = 30_000

/**
 * Caches one token. Simultaneous callers share one request for a new token; after a failure the next caller tries again.
 * @param patience milliseconds after which obtaining a token fails
 */
export const keepToken = (obtain: Obtain, now: () => number, patience: number): Tokens => {
  let held: { readonly token: string; readonly until: number } | undefined
  let coming: Promise<string> | undefined

  const renew = async (): Promise<string> => {
    const asked = now()
    const signal = AbortSignal.timeout(patience)
    const { access_token: token, expires_in } = await orAborted(obtain(signal), signal)
    if (typeof token !== 'string' || token === '')
      throw new TypeError('there is no access_token in what came')
    const life = (expires_in ?? Number.POSITIVE_INFINITY) * 1000
    held = { token, until: asked + life - Math.min(AHEAD, life / 10) }
    return token
  }

  return {
    get: async (refused) => {
      if (held !== undefined && held.token !== refused && now() < held.until) return held.token
      coming ??= renew().finally(() => {
        coming = undefined
      })
      return coming
    },
    take: () => {
      const token = held?.token
      held = undefined
      return token
    },
  }
}

const bearing = (request: Request, token: string): Request => {
  request.headers.set('Authorization', `Bearer ${token}`)
  return request
}

/**
 * Sends requests with a token in the `Authorization` header (A5). If the token is rejected, for example because it was revoked, renews it
 * and repeats the request.
 */
export const authorized =
  (send: Send, tokens: Tokens): Send =>
  async (request) => {
    const again = request.clone()
    const token = await orAborted(tokens.get(), request.signal)
    const response = await send(bearing(request, token))
    if (response.status !== 401) return response
    await response.body?.cancel()
    return send(bearing(again, await orAborted(tokens.get(token), request.signal)))
  }
