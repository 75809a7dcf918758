import type { AuthenticatedCaller } from '@almoner/domain/access'
import type { BufferedResponse } from '../request-context.ts'

/** How large the response cache may get, and when it is cleared. */
export interface CacheOptions {
  /** Bytes of responses that are cached, about; 0 for none. The callers behind tokens are cached in any case. */
  readonly bytes: number
  /** Returns a number that changes whenever data may have changed. */
  readonly version: () => number
  /** Like {@link version}, for callers' rights only. Whenever it changes, so does {@link version}. */
  readonly accessVersion: () => number
}

/** A response as it was sent for a URL and a token, with all header fields. */
export interface SentResponse {
  readonly caller: AuthenticatedCaller
  /** The pattern of the route. */
  readonly route: string
  readonly response: BufferedResponse
  /** Names and values of the header fields by turns. The first is the request's id. */
  readonly fields: ReadonlyArray<string>
  /** Those of a 304, where the response has an ETag. */
  readonly unchanged: ReadonlyArray<string>
}

/**
 * The responses of one version of the data, for at most a minute. A response that was begun before a write is put into the entries of
 * before, which nothing reads any more: there is nothing to invalidate.
 */
export interface Entries {
  /** By URL, token and origin, as they were sent. */
  readonly sent: Map<string, SentResponse>
  /** By route, kind of caller and parameters. A pending response is waited for; undefined if it cannot be cached. */
  readonly responses: Map<string, Promise<BufferedResponse | undefined>>
  /** Counts bytes that were put in. Once there are too many, the cache is cleared. */
  readonly add: (bytes: number) => void
}

/** Callers by token. Undefined where the token is not valid. */
type Callers = Map<string, AuthenticatedCaller | Promise<AuthenticatedCaller | undefined>>

const MINUTE = 60_000

/** Bytes that an entry takes beside its key and its body, about. */
const ENTRY = 800

/** Returns the bytes of an entry without its body. */
export const sizeOf = (key: string): number => 2 * key.length + ENTRY

/** Returns the same contents until the version or the minute changes. */
const untilChanged = <A>(version: () => number, now: () => number, make: () => A) => {
  let contents = make()
  let [known, minute] = [version(), Math.floor(now() / MINUTE)]
  return {
    current: (): A => {
      const [latest, present] = [version(), Math.floor(now() / MINUTE)]
      if (latest !== known || present !== minute) contents = make()
      known = latest
      minute = present
      return contents
    },
    clear: () => {
      contents = make()
    },
  }
}

/**
 * Makes an empty cache. Any write clears all responses, so that no code has to know which responses a write changes. Callers stay while only
 * content is written, which is most writes. Both are cleared each minute: content that depends on the day (C9) changes with one, as
 * all time zones are whole minutes apart, and no token stays in memory for longer.
 */
export const makeContents = ({ bytes, version, accessVersion }: CacheOptions, now: () => number) => {
  const callers = untilChanged(accessVersion, now, (): Callers => new Map())
  const makeEntries = (): Entries => {
    // Removes the callers of the last minute, though no request with a token follows.
    callers.current()
    let used = 0
    const add = (more: number) => {
      used += more
      if (used > bytes) entries.clear()
    }
    return { sent: new Map(), responses: new Map(), add }
  }
  const entries = untilChanged(version, now, makeEntries)
  return {
    entries: entries.current,
    callers: callers.current,
    clear: () => {
      entries.clear()
      callers.clear()
    },
  }
}

export type CacheContents = ReturnType<typeof makeContents>
