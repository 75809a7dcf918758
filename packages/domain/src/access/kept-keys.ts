import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type Clock, elapsed } from '../values/ports.ts'
import { MINUTE, SECOND } from '../values/time.ts'
import { type SubjectTokenRefused, subjectTokenRefused } from './id-tokens.ts'

/** The keys of the identity provider cannot be had now, or a key may not be asked for yet (A10). */
export interface KeysUnavailable {
  readonly _tag: 'KeysUnavailable'
  /** Seconds after which another attempt may help. */
  readonly retryAfter: number
  /** For the log only. */
  readonly cause: unknown
}

/** A key that an identity provider publishes. */
export interface PublishedKey {
  /** Its name, if it has one. */
  readonly kid?: string | undefined
}

/** Milliseconds after which kept keys are fetched again in the background, and after which they count no longer. */
const [FRESH, LONGEST] = [60 * MINUTE, 24 * 60 * MINUTE]

/** Milliseconds between two fetches for unknown keys, and after a failed fetch. */
const [BETWEEN_UNKNOWN, AFTER_FAILURE] = [MINUTE, SECOND]

/** Seconds after which to ask again when the provider does not answer. */
const RETRY_AFTER = 5

/** Keys without a place in the latest set that are remembered. */
const REMEMBERED = 1000

/** The published keys, as a fetch has found them. */
interface FetchedKeys<Key> {
  readonly keys: ReadonlyArray<Key>
  /** When the fetch began, by a clock that is never set. */
  readonly at: number
  /** The number of the fetch. */
  readonly number: number
}

/** What the keeper of keys knows. */
interface KeyState<Key> {
  readonly kept: FetchedKeys<Key> | undefined
  /** The names of keys that are published no longer. */
  readonly removed: ReadonlySet<string>
  /** When an unknown name last had the keys fetched. */
  readonly fetchedForUnknownAt: number
  readonly isFetching: boolean
}

/** What to do for a token. */
type KeyStep<Key> =
  | { readonly kind: 'use'; readonly keys: ReadonlyArray<Key>; readonly isOld: boolean }
  | { readonly kind: 'refuse'; readonly reason: 'removed-key' | 'unknown-key' }
  | { readonly kind: 'fetch'; readonly isForUnknown: boolean }
  | { readonly kind: 'wait'; readonly milliseconds: number }

const forUnknown = <Key>(
  kid: string,
  { kept, removed, fetchedForUnknownAt, isFetching }: KeyState<Key>,
  now: number,
  fetchesBefore: number,
): KeyStep<Key> => {
  if (removed.has(kid)) return { kind: 'refuse', reason: 'removed-key' }
  // The keys were fetched after the token came: it names none of them.
  if (kept !== undefined && kept.number > fetchesBefore) return { kind: 'refuse', reason: 'unknown-key' }
  const wait = fetchedForUnknownAt + BETWEEN_UNKNOWN - now
  return isFetching || wait <= 0
    ? { kind: 'fetch', isForUnknown: true }
    : { kind: 'wait', milliseconds: wait }
}

/**
 * Decides what to do for a token (A10).
 * @param kid the name of its key, if it has one
 * @param fetchesBefore how many fetches had begun when the token came
 */
const nextStep = <Key extends PublishedKey>(
  kid: string | undefined,
  state: KeyState<Key>,
  now: number,
  fetchesBefore: number,
): KeyStep<Key> => {
  const { kept } = state
  if (kept === undefined || now - kept.at >= LONGEST) return { kind: 'fetch', isForUnknown: false }
  const keys = kept.keys.filter((key) => kid === undefined || key.kid === kid)
  return kid === undefined || keys.length > 0
    ? { kind: 'use', keys, isOld: now - kept.at >= FRESH }
    : forUnknown(kid, state, now, fetchesBefore)
}

const namesOf = (keys: ReadonlyArray<PublishedKey> = []): ReadonlyArray<string> =>
  keys.flatMap(({ kid }) => (kid === undefined ? [] : [kid]))

/** Returns the names of keys that are published no longer, the latest of them. */
const removedBy = (
  before: ReadonlySet<string>,
  earlier: ReadonlyArray<PublishedKey> | undefined,
  published: ReadonlyArray<PublishedKey>,
): ReadonlySet<string> => {
  const there = new Set(namesOf(published))
  const gone = [...before, ...namesOf(earlier)].filter((name) => !there.has(name))
  return new Set([...new Set(gone)].slice(-REMEMBERED))
}

const unavailable = (retryAfter: number, cause: unknown): E.Either<KeysUnavailable, never> =>
  E.left({ _tag: 'KeysUnavailable', retryAfter, cause })

type Found<Key> = E.Either<SubjectTokenRefused | KeysUnavailable, ReadonlyArray<Key>>

/** Finds the published keys that may have signed a token: those named `kid`, or all if the token names none. There is at least one for a name. */
export type FindKeys<Key> = (
  kid: string | undefined,
) => TaskEither<SubjectTokenRefused | KeysUnavailable, ReadonlyArray<Key>>

/**
 * Keeps the keys that an identity provider publishes (A10). Runs one fetch at a time, and none within a second of a failed one. Keys older than an hour
 * are fetched again in the background, and serve for 24 hours at most. An unknown name fetches at most once a minute, the first fetch not
 * counted; until it may, the keys are unavailable. Refuses the names of keys that are no longer published.
 * @param fetch gets the published keys, and rejects after a bounded time if it cannot
 */
export const keepKeys = <Key extends PublishedKey>(
  fetch: () => Promise<ReadonlyArray<Key>>,
  clock: Clock,
): FindKeys<Key> => {
  let state: KeyState<Key> = {
    kept: undefined,
    removed: new Set(),
    fetchedForUnknownAt: -Infinity,
    isFetching: false,
  }
  let running: Promise<void> | undefined
  let begun = 0
  let failed: { readonly at: number; readonly cause: unknown } | undefined

  const run = async (): Promise<void> => {
    begun += 1
    const [at, number] = [elapsed(clock), begun]
    state = { ...state, isFetching: true }
    try {
      const keys = await fetch()
      state = {
        ...state,
        kept: { keys, at, number },
        removed: removedBy(state.removed, state.kept?.keys, keys),
      }
      failed = undefined
    } catch (cause) {
      failed = { at: elapsed(clock), cause }
    } finally {
      state = { ...state, isFetching: false }
      running = undefined
    }
  }

  /** Joins the running fetch or begins one, unless one has just failed. Returns whether the last one succeeded. */
  const fetchKeys = async (): Promise<boolean> => {
    const hasJustFailed = failed !== undefined && elapsed(clock) - failed.at < AFTER_FAILURE
    if (running === undefined && hasJustFailed) return false
    running ??= run()
    await running
    return failed === undefined
  }

  const fetchForUnknown = async (): Promise<boolean> => {
    if (running !== undefined) return fetchKeys()
    const { fetchedForUnknownAt } = state
    state = { ...state, fetchedForUnknownAt: elapsed(clock) }
    const succeeded = await fetchKeys()
    // A fetch that failed has not fetched the keys: the next one may follow it.
    if (!succeeded) state = { ...state, fetchedForUnknownAt }
    return succeeded
  }

  /** Does what the step says. Undefined if the keys were fetched, and the next step is to be decided. */
  const take = async (step: KeyStep<Key>): Promise<Found<Key> | undefined> => {
    switch (step.kind) {
      case 'use':
        if (step.isOld) void fetchKeys()
        return E.right(step.keys)
      case 'refuse':
        return E.left(subjectTokenRefused(step.reason))
      case 'wait':
        return unavailable(Math.ceil(step.milliseconds / SECOND), new Error('the key is unknown'))
      case 'fetch': {
        const succeeded = await (step.isForUnknown ? fetchForUnknown() : fetchKeys())
        return succeeded ? undefined : unavailable(RETRY_AFTER, failed?.cause)
      }
    }
  }

  return (kid) => async () => {
    const fetchesBefore = begun
    for (;;) {
      const found = await take(nextStep(kid, state, elapsed(clock), fetchesBefore))
      if (found !== undefined) return found
    }
  }
}
