import type { Client } from '../client.ts'
import { ApiError, TokenError } from '../oauth.ts'
import { nextQuery } from '../requests.ts'
import { machineTime, type Time } from '../tokens.ts'
import {
  type Arrived,
  type CopyKind,
  type CopyListener,
  type CopyObjects,
  type CopyPosition,
  changesOf,
  type Label,
  type SyncStore,
  stepOf,
} from './model.ts'

/** The copy of which service, where it is kept, and what it holds. */
export interface SyncOptions {
  /** Asks the service. The copy holds what this client may see (A3). */
  readonly client: Pick<Client, 'get'>
  /** Keeps the copy: one store for each service and each person who signs in. */
  readonly store: SyncStore
  /** Items of this language only; of both unless given. */
  readonly lang?: 'en' | 'fr' | undefined
  /** Everything that the client may read, unless given. */
  readonly kinds?: ReadonlyArray<CopyKind | 'portfolio'> | undefined
  /** Members to add to each item (J4, D9). */
  readonly include?: ReadonlyArray<'labels' | 'images'> | undefined
  /** Changes that an answer holds at most, 1 to 1000; 500 unless given. */
  readonly lim?: number | undefined
}

/** Which items of a copy are listed. */
export interface CopyFilter<K extends 'library' | 'feed'> {
  readonly lang?: 'en' | 'fr' | undefined
  readonly status?: CopyObjects[K]['status'] | undefined
  readonly isDonorRestricted?: '0' | '1' | undefined
  /** Items with this label. The copy must include `labels`. */
  readonly labelId?: string | undefined
  /** Items to skip. */
  readonly offset?: number | undefined
  /** Items to return at most; all unless given. */
  readonly lim?: number | undefined
}

/** How a copy is kept in step. */
export interface RunOptions {
  /** Stops it. */
  readonly signal: AbortSignal
  /** Receives each failure after which the copy waits and tries again. */
  readonly onFailure?: ((error: unknown) => void) | undefined
}

/**
 * A copy of what the service shows to a client, kept in step by `GET /changes` (N1 to N4). All reads are answered from the store, so they
 * work offline.
 */
export interface Sync {
  /** Returns the items of a kind in the order of the collections (C3). */
  readonly list: <K extends 'library' | 'feed'>(
    kind: K,
    filter?: CopyFilter<K>,
  ) => Promise<ReadonlyArray<CopyObjects[K]>>
  /** Returns one object, or undefined if the copy does not hold it. */
  readonly get: <K extends CopyKind>(kind: K, id: string) => Promise<CopyObjects[K] | undefined>
  /** Returns all labels in their order (E1). */
  readonly labels: () => Promise<ReadonlyArray<Label>>
  /**
   * Returns whether the copy has ever held everything, and a number that grows whenever the portfolio was replaced: read the portfolio
   * again if it is not the number of the last time.
   */
  readonly state: () => Promise<{ readonly isComplete: boolean; readonly portfolio: number }>
  /** Calls a function with the changes of each answer, of other tabs too, until the returned function is called. */
  readonly subscribe: (listener: CopyListener) => () => void
  /** Brings the copy up to date and resolves then. Rejects as calls of the client do; changes that have arrived stay. */
  readonly update: (options?: { readonly signal?: AbortSignal | undefined }) => Promise<void>
  /**
   * Keeps the copy in step: the service answers as soon as something changes (N4). Waits and tries again while the service is
   * unreachable, busy or failing. Resolves when the signal aborts. Rejects if the service refuses the client, or the store fails.
   */
  readonly run: (options: RunOptions) => Promise<void>
}

/** Seconds that the service may hold an answer back. Proxies often cut connections after a minute. */
const WAIT = 50

/** Milliseconds after which an answer without changes counts as held back: it may come up to 5 s early (N4). */
const HELD = (WAIT - 10) * 1000

/** Seconds at most between tries, before chance is added. */
const PAUSE = 30

/** Statuses of rejections that may pass: time-outs, keys in use, too early, too many. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 425, 429])

/** Whether asking again is of no use: the service has refused the client or the request. */
const isFinal = (error: unknown): boolean =>
  (error instanceof ApiError || error instanceof TokenError) &&
  error.status >= 400 &&
  error.status < 500 &&
  !PASSING.has(error.status)

/** Whether the service takes the cursor no more, so that the copy is to be begun without it (N3). */
const isExpired = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status === 410 || (error.status === 400 && error.errors.some(({ field }) => field === 'since')))

/** Seconds before the next try after this number of tries in vain: 1 to 2, then doubling, with jitter, so that clients do not return together. */
const backoff = (tries: number): number => Math.min(PAUSE, 2 ** (tries - 1)) * (1 + Math.random())

const retryAfterIn = (error: unknown): number =>
  error instanceof ApiError || error instanceof TokenError ? (error.retryAfter ?? 0) : 0

const isEmpty = ({ sent, isLast }: Arrived): boolean => isLast && sent.changes.length === 0

/** Whether an answer begins a copy again that is there. */
const isRestart = (position: CopyPosition | undefined, { isBegin }: Arrived): boolean =>
  isBegin && position !== undefined

/** Cursors that may expire in one update. Nodes of a service that differ in their settings refuse the cursors of each other (N3). */
const RESTARTS = 3

/** The end of one question to the service. */
interface Turn {
  /** Whether it brought nothing: it failed, was answered early without a change, or the copy had to be begun again. */
  readonly isVain: boolean
  /** Whether nothing more was waiting. */
  readonly isInStep: boolean
  /** Seconds to wait at least before the next one, if it was vain. */
  readonly pause: number
}

/** An error of a call, apart from those of the store. */
class Failure {
  readonly cause: unknown
  constructor(cause: unknown) {
    this.cause = cause
  }
}

/** Whether an item has the values of a filter. */
const matches = (
  item: object,
  { labelId, offset: _, lim: __, ...values }: CopyFilter<'library'>,
): boolean => {
  const has = item as Readonly<Record<string, unknown>> & {
    readonly labels?: ReadonlyArray<{ label: Label }>
  }
  return (
    Object.entries(values).every(([name, value]) => value === undefined || has[name] === value) &&
    (labelId === undefined || (has.labels ?? []).some(({ label }) => label.labelId === labelId))
  )
}

/** A copy with its time, which is the machine's but in tests. */
export const makeSync = (options: SyncOptions, time: Time): Sync => {
  const { client, store, lang, kinds, include, lim = 500 } = options
  const listeners = new Set<CopyListener>()

  const ask = async (
    since: string | undefined,
    wait: number | undefined,
    signal: AbortSignal | undefined,
  ) => {
    const query = {
      ...(since !== undefined && { since }),
      ...(lang && { lang }),
      ...(kinds?.length && { kinds: kinds.join() }),
      ...(include?.length && { include: include.join() }),
      lim,
    }
    const { data, headers } = await client.get('/changes', {
      query,
      ...(wait !== undefined && { wait }),
      ...(signal && { signal }),
    })
    if (!Array.isArray(data?.changes) || typeof data.cursor !== 'string')
      throw new TypeError('The answer is not one of GET /changes.')
    return { sent: data, isLast: nextQuery(headers) === undefined }
  }

  /** Asks for what follows a position; for everything, if its cursor has expired. */
  const askFrom = async (
    position: CopyPosition | undefined,
    wait: number | undefined,
    signal: AbortSignal | undefined,
    mayBegin = true,
  ): Promise<Arrived> => {
    const isBegin = position === undefined
    const held = isBegin || position.isWalking ? undefined : wait
    try {
      return { isBegin, ...(await ask(position?.cursor, held, signal)) }
    } catch (error) {
      if (isBegin || !mayBegin || !isExpired(error)) throw error
      return { isBegin: true, ...(await ask(undefined, undefined, signal)) }
    }
  }

  /** Stores an answer, unless another user of the store was faster: then the copy is somewhere else, perhaps in the middle of a walk, and it returns false. */
  const keep = async (position: CopyPosition | undefined, arrived: Arrived): Promise<boolean> => {
    const step = stepOf(position, arrived)
    // Most answers that were held back bring neither a change nor another cursor.
    if (isEmpty(arrived) && step.to.cursor === step.from && position?.isWalking === false) return true
    const swept = await store.apply(step)
    if (swept === undefined) return false
    const changes = changesOf(step, swept, position?.portfolio ?? 0)
    if (changes.length === 0) return true
    store.announce?.(changes)
    for (const listener of listeners) listener(changes)
    return true
  }

  /** Asks once and waits for changes. */
  const turn = async (signal: AbortSignal, onFailure: RunOptions['onFailure']): Promise<Turn> => {
    const position = await store.position()
    const asked = time.now()
    const answer = await askFrom(position, WAIT, signal).catch((error: unknown) => new Failure(error))
    if (signal.aborted) return { isVain: false, isInStep: false, pause: 0 }
    if (!(answer instanceof Failure)) {
      const isKept = await keep(position, answer)
      const isEarly = isEmpty(answer) && time.now() - asked < HELD
      return { isVain: isEarly || isRestart(position, answer), isInStep: isKept && answer.isLast, pause: 0 }
    }
    const { cause } = answer
    if (isFinal(cause)) throw cause
    onFailure?.(cause)
    return { isVain: true, isInStep: false, pause: retryAfterIn(cause) }
  }

  const rest = (seconds: number, signal: AbortSignal): Promise<void> =>
    time.wait(seconds * 1000, signal).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })

  return {
    list: async (kind, filter = {}) => {
      const { offset = 0, lim: most = Number.POSITIVE_INFINITY } = filter
      const found: Array<CopyObjects[typeof kind]> = []
      let skipped = 0
      await store.scan(kind, ({ value }) => {
        if (found.length >= most) return false
        if (matches(value, filter as CopyFilter<'library'>) && skipped++ >= offset) found.push(value)
        return found.length < most
      })
      return found
    },
    get: async (kind, id) => (await store.get(kind, id))?.value,
    labels: async () => {
      const found: Array<Label> = []
      await store.scan('label', ({ value }) => found.push(value) > 0)
      return found
    },
    state: async () => {
      const { isComplete = false, portfolio = 0 } = (await store.position()) ?? {}
      return { isComplete, portfolio }
    },
    subscribe: (listener) => {
      const call: CopyListener = (changes) => {
        try {
          listener(changes)
        } catch (error) {
          // The copy is in step all the same. The error is reported as any that nothing catches.
          queueMicrotask(() => {
            throw error
          })
        }
      }
      listeners.add(call)
      const unlisten = store.listen?.(call)
      return () => {
        listeners.delete(call)
        unlisten?.()
      }
    },
    update: async ({ signal } = {}) => {
      let [isLast, restarts] = [false, 0]
      while (!isLast) {
        signal?.throwIfAborted()
        const position = await store.position()
        const answer = await askFrom(position, undefined, signal, restarts < RESTARTS)
        isLast = (await keep(position, answer)) && answer.isLast
        restarts += Number(isRestart(position, answer))
      }
    },
    run: async ({ signal, onFailure }) => {
      /** Vain turns since the copy was in step. */
      let vain = 0
      while (!signal.aborted) {
        const { isVain, isInStep, pause } = await turn(signal, onFailure)
        if (isVain) vain += 1
        else if (isInStep) vain = 0
        if (isVain) await rest(pause + backoff(vain), signal)
      }
    },
  }
}

/**
 * Keeps a copy of what the service shows to a client, for reads without a network. Nothing is sent before `update` or `run`.
 * @example const copy = createSync({ client, store: memoryStore() })
 */
export const createSync = (options: SyncOptions): Sync => makeSync(options, machineTime)
