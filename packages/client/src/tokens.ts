import { orAborted } from './ports.ts'

/** An access token as the token endpoint answers it (A4). */
export interface AccessToken {
  readonly access_token: string
  /** Seconds that it lives. Without them it is used until the service refuses it. */
  readonly expires_in?: number
}

/** The token that requests are sent with, renewed when it is about to end. */
export interface Tokens {
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
