import type { AuthenticatedCaller } from '@almoner/domain/access'
import type { DataPart } from '@almoner/domain/history'
import type { BufferedResponse } from '../request-context.ts'

/** How large the response cache may get, and when it is cleared. */
export interface CacheOptions {
  /** Bytes of responses that are cached, about; 0 for none. The callers behind tokens are cached in any case. */
  readonly bytes: number
  /** Returns a number that rises whenever data, or one of the parts if some are given, may have changed, as the `version` of databases (I8). */
  readonly version: (of?: ReadonlyArray<DataPart>) => number
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

/** The parts of the data that a response is read from, and their version before it was read. It is served while that is the present one. */
interface DataState {
  readonly parts: ReadonlyArray<DataPart>
  readonly version: number
}

/** Values with the state of the data that they were read from. Values of another state than the present one are not returned. */
interface Versioned<A> {
  readonly get: (key: string) => A | undefined
  /** @param bytes of the key and the value, about */
  readonly set: (key: string, value: A, state: DataState, bytes: number) => void
  /** Counts further bytes of a value that is still there. */
  readonly grow: (key: string, value: A, bytes: number) => void
  readonly delete: (key: string, value: A) => void
  /** Deletes the values of other states. */
  readonly sweep: () => void
}

/**
 * Responses of at most a minute. Each belongs to the state of the data before its read began: one that was read before a change and is stored
 * after it is never served, and there is nothing to invalidate.
 */
export interface Entries {
  /** By URL, token and origin, as they were sent. */
  readonly sent: Versioned<SentResponse>
  /** By route, kind of caller and parameters. A pending response is waited for; undefined if it cannot be cached. */
  readonly responses: Versioned<Promise<BufferedResponse | undefined>>
}

/** Callers by token. Undefined where the token is not valid. */
type Callers = Map<string, AuthenticatedCaller | Promise<AuthenticatedCaller | undefined>>

const MINUTE = 60_000

/** Bytes that an entry takes beside its key and its body, about. */
const ENTRY = 800

/** Returns the bytes of an entry without its body. */
export const sizeOf = (key: string): number => 2 * key.length + ENTRY

/** @param count takes the bytes that are stored, or no longer */
const makeVersioned = <A>(version: CacheOptions['version'], count: (bytes: number) => void): Versioned<A> => {
  /** `seen` is the version of all data with which an entry was found to be the present one. */
  const entries = new Map<string, DataState & { readonly value: A; bytes: number; seen?: number }>()
  const take = (key: string): void => {
    count(-(entries.get(key)?.bytes ?? 0))
    entries.delete(key)
  }
  const isPresent = ({ parts, version: known }: DataState): boolean => version(parts) === known
  return {
    get: (key) => {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      const latest = version()
      if (entry.seen !== latest && !isPresent(entry)) return undefined
      entry.seen = latest
      return entry.value
    },
    set: (key, value, { parts, version }, bytes) => {
      take(key)
      entries.set(key, { value, parts, version, bytes })
      count(bytes)
    },
    grow: (key, value, bytes) => {
      const entry = entries.get(key)
      if (entry?.value !== value) return
      entry.bytes += bytes
      count(bytes)
    },
    delete: (key, value) => {
      if (entries.get(key)?.value === value) take(key)
    },
    sweep: () => {
      for (const [key, entry] of entries) if (!isPresent(entry)) take(key)
    },
  }
}

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

const ACCESS: ReadonlyArray<DataPart> = ['access']

/**
 * Makes an empty cache. A write ends the responses that are read from what it changes, and callers if it changes rights. Both are cleared
 * each minute: content that depends on the day (C9) changes with one, as all time zones are whole minutes apart, and no token stays in memory
 * for longer.
 */
export const makeContents = ({ bytes, version }: CacheOptions, now: () => number) => {
  const callers = untilChanged(
    () => version(ACCESS),
    now,
    (): Callers => new Map(),
  )
  const makeEntries = (): Entries => {
    // Removes the callers of the last minute, though no request with a token follows.
    callers.current()
    let used = 0
    const add = (more: number) => {
      used += more
      if (used <= bytes || more <= 0) return
      made.sent.sweep()
      made.responses.sweep()
      // Sweeping again and again would take longer than it saves.
      if (used > bytes / 2) entries.clear()
    }
    const made: Entries = { sent: makeVersioned(version, add), responses: makeVersioned(version, add) }
    return made
  }
  const entries = untilChanged(() => 0, now, makeEntries)
  return {
    /** Returns the state of some parts of the data now. */
    stateOf: (parts: ReadonlyArray<DataPart>): DataState => ({ parts, version: version(parts) }),
    entries: entries.current,
    callers: callers.current,
    clear: () => {
      entries.clear()
      callers.clear()
    },
  }
}

export type CacheContents = ReturnType<typeof makeContents>
